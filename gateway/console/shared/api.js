/** Requests to the gateway that serves the console. The session is a cookie that no script can read. */

/**
 * @typedef {{ type?: string, title?: string, detail?: string, status?: number, request_id?: string,
 *   violations?: { in?: string, pointer?: string, message: string }[], legal_events?: string[] }} Problem
 * @typedef {{ status: number, headers: Headers, text: string, ms: number }} Exchange
 */

/** The gateway's base URL. Behind a proxy it may have a path. */
export const BASE = location.origin + location.pathname.replace(/\/console\/?$/, '');

/** Pages of other origins can't send it, so the session counts only with it. */
const HEADERS = { 'x-console': '1' };
/** Two consoles may have one origin. */
const PLACE = `console-place ${BASE}`;

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
 * Sends a request and returns whatever the response is.
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
  if (response.status === 401) await logIn(response.clone());
  return response;
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
  throw new ApiError(response.status, problemOf(text));
}

/** @param {string} text @returns {Problem} */
function problemOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Goes to the login, and remembers the page for afterwards. @param {Response} response */
async function logIn(response) {
  const { type = '' } = problemOf(await response.text());
  if (!type.endsWith('unauthorized')) return;
  sessionStorage.setItem(PLACE, location.hash);
  location.assign(`${BASE}/console/login`);
}

/** Goes back to the page from which the login was asked for. */
export function returnToPlace() {
  const place = sessionStorage.getItem(PLACE);
  sessionStorage.removeItem(PLACE);
  if (place && location.hash === '') location.replace(place);
}

/** Ends the session. */
export async function logOut() {
  await fetch(`${BASE}/console/logout`, { method: 'POST', headers: HEADERS });
  sessionStorage.removeItem(PLACE);
  location.assign(`${BASE}/console/login`);
}

/** Formats the defined values as a query string. @param {Record<string, string | number | undefined>} values */
export function query(values) {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
