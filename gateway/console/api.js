/** Requests to the gateway that serves the console, and who is logged in. The session is a cookie that scripts can't read. */

/**
 * @typedef {'payment' | 'payout'} Kind
 * @typedef {{ type?: string, title?: string, detail?: string, status?: number, request_id?: string,
 *   violations?: { in?: string, pointer?: string, message: string }[], legal_events?: string[] }} Problem
 * @typedef {{ merchant?: { id: number, name: string },
 *   operator?: { id: string, name: string, role: string } }} Session A merchant or an operator
 * @typedef {import('../../generated/decline-reasons.ts').DeclineText} DeclineText
 * @typedef {{ currencies: string[], minorUnits: Record<string, number>, statuses: Record<Kind, string[]>,
 *   finalStatuses: string[], sandbox: boolean, declines: Record<Kind, Record<string, DeclineText>>, webhooks: string[],
 *   methods: Record<Kind, string[]> }} Facts
 */

/** The gateway's base URL. Behind a proxy it may have a path. */
export const BASE = location.origin + location.pathname.replace(/\/console\/?$/, '');

/** Facts of the contract and the gateway's methods, from a meta tag. @type {Facts} */
export const facts = JSON.parse(document.querySelector('meta[name="facts"]')?.getAttribute('content') ?? '{}');

/** Pages of other origins can't send it, so the session counts only with it. */
const HEADERS = { 'x-console': '1' };
/** Remembers the page to return to after a login. Several gateways may have one origin. */
const RETURN_TO = `console-page ${BASE}`;

/** A response that isn't a success. */
export class ApiError extends Error {
  /** @param {number} status @param {Problem} problem */
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `The gateway responded with ${status}.`);
    this.status = status;
    this.problem = problem;
  }
}

/**
 * Sends a request and returns the response, whatever its status. Goes to the login if there is no session.
 * @param {string} method @param {string} path @param {string | undefined} [body] JSON @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
export async function send(method, path, body, signal) {
  const response = await fetch(BASE + path, {
    method,
    headers: { ...HEADERS, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
    credentials: 'same-origin',
    cache: 'no-cache',
  });
  if (response.status !== 401 || !parseProblem(await response.clone().text()).type?.endsWith('unauthorized'))
    return response;
  sessionStorage.setItem(RETURN_TO, location.hash);
  location.assign(`${BASE}/console/login`);
  // The page is left, so it shows no error.
  return new Promise(() => undefined);
}

/**
 * Sends a request and returns the body of its response. Throws an ApiError unless it is a success.
 * @param {string} method @param {string} path @param {unknown} [body] @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function call(method, path, body, signal) {
  const response = await send(method, path, body === undefined ? undefined : JSON.stringify(body), signal);
  const text = await response.text();
  if (response.ok) return text === '' ? undefined : JSON.parse(text);
  throw new ApiError(response.status, parseProblem(text));
}

/** @param {string} text @returns {Problem} */
function parseProblem(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Returns to the page from which the login was requested. */
export function returnToPage() {
  const page = sessionStorage.getItem(RETURN_TO);
  sessionStorage.removeItem(RETURN_TO);
  if (page && location.hash === '') location.replace(page);
}

/** Ends the session. */
export async function logOut() {
  await fetch(`${BASE}/console/logout`, { method: 'POST', headers: HEADERS });
  location.assign(`${BASE}/console/login`);
}

/** Formats the defined values as a query string. @param {Record<string, string | number | undefined>} values */
export function query(values) {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

async function readSession() {
  try {
    return await call('GET', '/management/caller');
  } catch (error) {
    const loading = document.querySelector('.loading');
    if (loading) loading.textContent = `The gateway can't be reached. Reload the page to try again. (${error})`;
    throw error;
  }
}

/** Who is logged in. Decides what is shown; the server decides what is allowed. @type {Session} */
export const session = await readSession();

/** A merchant's key in test mode. */
export const canSimulate = facts.sandbox && session.merchant !== undefined;

/** The management API's path of a list, or of an entry: `apiPath('payments', id)`. @param {(string | number)[]} parts */
export function apiPath(...parts) {
  return `/management/${parts.map(encodeURIComponent).join('/')}`;
}
