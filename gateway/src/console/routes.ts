/**
 * Serves the console, and logs people in to it. The console itself uses the API like any other client, from the same
 * origin, with a session instead of a key (http/console-session.ts). A live gateway has none of it.
 */
import { readFileSync } from 'node:fs';
import { BUNDLE_FILE } from '../../../contract/src/model.ts';
import { readForm } from '../http/body.ts';
import { CONSOLE_HEADER, consoleSession, sessionCookie } from '../http/console-session.ts';
import { problemOf } from '../http/errors.ts';
import { NO_CONTENT, type PlainResponse, redirect } from '../http/plain.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { routeNotFound } from '../http/respond.ts';
import type { Route } from '../http/router.ts';
import { isFromOtherSite } from '../http/same-site.ts';
import type { ServedRequest } from '../http/served-request.ts';
import { staticFile } from '../node/static-file.ts';
import type { Services } from '../operations/operation.ts';
import { findKey } from '../store/access/api-keys.ts';
import {
  type ConsoleToken,
  createConsoleSession,
  endConsoleSession,
  redeemConsoleLink,
} from '../store/access/console-access.ts';
import { API_FILES } from '../wire/gateway-apis.ts';
import { type Assets, readAssets } from './assets.ts';
import { confirmPage, loginPage, PAGE_HEADERS, shell } from './pages.ts';

export interface ConsoleOptions {
  readonly services: Services;
  readonly rates: RateLimits;
  /** Accept the public key of the demo merchant. */
  readonly demo: boolean;
  /** Called with the token of a session that has ended. */
  readonly onSessionEnd: (session: string) => void;
}

/** A form with one key. */
const BODY_BYTES_MAX = 4_096;

const UNUSABLE_LINK =
  'This link has been used, or is older than 15 minutes. Log in with your API key, or create another link.';
const INVALID_KEY = 'This API key is not valid. Check that it is complete, not revoked, and of this gateway.';
const OTHER_SITE = 'Another site sent this form. Log in here.';

/** The console's routes. */
export function consoleRoutes(options: ConsoleOptions): Route[] {
  const assets = readAssets();
  const { rates } = options;
  const limited = [...documents(assets), ...new Login(assets, options).routes()];
  return [
    // Not limited: a first visit loads all files at once, and browsers keep them.
    {
      ...CONSOLE,
      method: 'GET',
      path: '/console/assets/{version}/{file}',
      respond: (request) => sendAsset(assets, request),
    },
    ...limited.map(
      (route): Route => ({
        ...CONSOLE,
        ...route,
        respond(request) {
          rates.countPageRequest(request.plain.address);
          return route.respond(request);
        },
        // The script reads problems; a person who sent a form reads a page.
        fail: (error, request, problem) =>
          request.headers[CONSOLE_HEADER] !== undefined || request.method !== 'POST'
            ? problem()
            : failedForm(assets, request, problem(), problemOf(error).message),
      }),
    ),
  ];
}

const CONSOLE = { operation: 'console' } as const;

/** The shell, and the documents of which its forms are made. They are the same for everyone. */
function documents(assets: Assets): Route[] {
  const page = shell(assets);
  const get = (path: string, respond: Route['respond']): Route => ({ method: 'GET', path, respond });
  const files = Object.entries({ 'contract.json': BUNDLE_FILE, 'sandbox.json': API_FILES.sandbox });
  return [
    get('/console', () => html(page)),
    // Its addresses are relative to /console, so that it works behind a proxy that serves the gateway under a path.
    get('/console/', () => redirect('../console')),
    ...files.map(([name, source]) => {
      const file = staticFile(
        'application/json; charset=utf-8',
        () => readFileSync(source),
        () => ({ 'cross-origin-resource-policy': 'same-origin' }),
      );
      return get(`/console/${name}`, ({ headers }) => file(headers));
    }),
  ];
}

function sendAsset(assets: Assets, request: ServedRequest): PlainResponse {
  const isPresent = request.parameter('version') === assets.version;
  const file = isPresent ? assets.files.get(request.parameter('file')) : undefined;
  if (!file) throw routeNotFound(request);
  return file(request.headers);
}

/** Logs people in, by a form or a link, and out. */
class Login {
  readonly #assets: Assets;
  readonly #options: ConsoleOptions;

  constructor(assets: Assets, options: ConsoleOptions) {
    this.#assets = assets;
    this.#options = options;
  }

  routes(): Route[] {
    const redeem = (request: ServedRequest) => this.#redeem(request);
    return [
      { method: 'GET', path: '/console/login', respond: (request) => this.#form(request) },
      { method: 'POST', path: '/console/login', respond: (request) => this.#logIn(request) },
      { method: 'GET', path: '/console/login/{token}', respond: (request) => this.#open(request) },
      { method: 'POST', path: '/console/login/{token}', respond: redeem },
      { method: 'POST', path: '/console/logout', respond: (request) => this.#logOut(request) },
    ];
  }

  #form(request: ServedRequest): PlainResponse {
    return html(loginPage(this.#assets, { address: addressOf(request) }));
  }

  async #logIn(request: ServedRequest): Promise<PlainResponse> {
    const { services, rates, demo } = this.#options;
    const { store, clock } = services;
    const form = await readForm(request, BODY_BYTES_MAX);
    const takeBack = rates.countUnknownKey(request.plain.address);
    if (isFromOtherSite(request)) return refusal(this.#assets, request, 403, OTHER_SITE);
    const key = form?.get('key')?.trim() ?? '';
    const valid = await findKey(store.read, key, { live: false, demo });
    const session = valid && (await store.unit((db) => createConsoleSession(db, key, clock.now())));
    if (!session) return refusal(this.#assets, request, 401, INVALID_KEY);
    takeBack();
    return this.#begin(request, session, '../console');
  }

  #open(request: ServedRequest): PlainResponse | Promise<PlainResponse> {
    // A browser that only fetches the link ahead, or shows it inside another page, doesn't use it up.
    if (!isOpened(request)) return NO_CONTENT;
    if (isFromOtherSite(request)) return html(confirmPage(this.#assets));
    return this.#redeem(request);
  }

  async #redeem(request: ServedRequest): Promise<PlainResponse> {
    const { services, rates } = this.#options;
    const { store, clock } = services;
    await readForm(request, BODY_BYTES_MAX);
    const takeBack = rates.countUnknownKey(request.plain.address);
    if (isFromOtherSite(request)) return refusal(this.#assets, request, 403, OTHER_SITE);
    const session = await store.unit((db) => redeemConsoleLink(db, request.parameter('token'), clock.now()));
    if (!session) return refusal(this.#assets, request, 410, UNUSABLE_LINK);
    takeBack();
    return this.#begin(request, session, '../../console');
  }

  async #logOut(request: ServedRequest): Promise<PlainResponse> {
    const { services, onSessionEnd } = this.#options;
    await readForm(request, BODY_BYTES_MAX);
    const session = consoleSession(request);
    // Another site's form must not log anybody out.
    if (session === undefined) return NO_CONTENT;
    await services.store.unit((db) => endConsoleSession(db, session));
    onSessionEnd(session);
    return { ...NO_CONTENT, headers: { 'set-cookie': sessionCookie(request, '', 0) } };
  }

  #begin(request: ServedRequest, { token, expiresAt }: ConsoleToken, to: string): PlainResponse {
    const seconds = Math.floor((expiresAt - this.#options.services.clock.now()) / 1_000);
    return redirect(to, { ...PAGE_HEADERS, 'set-cookie': sessionCookie(request, token, seconds) });
  }
}

function html(page: string): PlainResponse {
  return { status: 200, headers: PAGE_HEADERS, body: page };
}

/** The login form with an error above it. */
function refusal(assets: Assets, request: ServedRequest, status: number, error: string): PlainResponse {
  const depth = request.path.includes('/login/') ? 1 : 0;
  return { ...html(loginPage(assets, { error, depth, address: addressOf(request) })), status };
}

function failedForm(assets: Assets, request: ServedRequest, problem: PlainResponse, message: string): PlainResponse {
  const page = refusal(assets, request, problem.status, message);
  const { 'retry-after': retryAfter } = problem.headers;
  return { ...page, headers: { ...page.headers, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) } };
}

function addressOf({ plain: { protocol, host } }: ServedRequest): string {
  return `${protocol}://${host}`;
}

/** Whether a person sees the response to this request. Clients that are not browsers don't tell. */
function isOpened({ method, headers }: ServedRequest): boolean {
  if (method !== 'GET') return false;
  const purpose = headers['sec-purpose'] ?? headers['purpose'];
  return purpose === undefined && (headers['sec-fetch-dest'] ?? 'document') === 'document';
}
