/**
 * Serves a console, and logs people in to it. The console itself uses the API like any other client, from the same origin,
 * with a session instead of a key (http/console-session.ts).
 */
import { readForm } from '../http/body.ts';
import { CONSOLE_HEADER, type ConsoleName, consoleSession, sessionCookie } from '../http/console-session.ts';
import { problemOf } from '../http/errors.ts';
import { NO_CONTENT, type PlainResponse, redirect } from '../http/plain.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { routeNotFound } from '../http/respond.ts';
import type { Route } from '../http/router.ts';
import { isFromOtherSite } from '../http/same-site.ts';
import type { ServedRequest } from '../http/served-request.ts';
import { type StaticFile, staticFile } from '../node/static-file.ts';
import type { Clock } from '../platform/clock.ts';
import type { ConsoleToken } from '../store/access/console-access.ts';
import { type Assets, readAssets } from './assets.ts';
import { type LoginForm, type LoginState, loginPage, PAGE_HEADERS, renderShell, type Shell } from './pages.ts';

/** A console, and how its sessions begin and end. */
export interface ConsoleSite {
  readonly name: ConsoleName;
  /** Path of its pages. */
  readonly home: string;
  readonly shell: () => Shell;
  readonly form: (request: ServedRequest) => LoginForm;
  /** Says that a key isn't valid, and what to do. */
  readonly invalidKey: string;
  /** Begins a session with a key; undefined if the key isn't valid. */
  readonly begin: (key: string, request: ServedRequest) => Promise<ConsoleToken | undefined>;
  readonly end: (session: string) => Promise<void>;
}

/** A form with one key. */
const BODY_BYTES_MAX = 4_096;

const OTHER_SITE = 'Another site sent this form. Log in here.';

/** Responds to what every console has. */
export class ConsolePages {
  readonly #site: ConsoleSite;
  readonly #rates: RateLimits;
  readonly #clock: Clock;
  #read: Assets | undefined;
  /** The same for everyone, so it may be compressed. */
  readonly #shell: StaticFile;

  constructor(site: ConsoleSite, { rates, clock }: { readonly rates: RateLimits; readonly clock: Clock }) {
    this.#site = site;
    this.#rates = rates;
    this.#clock = clock;
    this.#shell = staticFile(
      PAGE_HEADERS['content-type'] ?? '',
      () => Buffer.from(renderShell(this.assets, site.shell())),
      () => PAGE_HEADERS,
    );
  }

  /** The files. They are read when they are asked for the first time, so that no start waits for them. */
  get assets(): Assets {
    this.#read ??= readAssets(this.#site.name);
    return this.#read;
  }

  /** The routes of the console, and those in addition that it alone has. */
  routes(more: readonly Route[] = []): Route[] {
    const { home, name } = this.#site;
    const operation = name === 'sandbox' ? 'console' : `${name}-console`;
    const limited: Route[] = [
      { method: 'GET', path: home, respond: ({ headers }) => this.#shell(headers) },
      // Its addresses are relative to its home, so that it works behind a proxy that serves the gateway under a path.
      { method: 'GET', path: `${home}/`, respond: () => redirect('../console') },
      { method: 'GET', path: `${home}/login`, respond: (request) => htmlResponse(this.#login(request)) },
      { method: 'POST', path: `${home}/login`, respond: (request) => this.#logIn(request) },
      { method: 'POST', path: `${home}/logout`, respond: (request) => this.#logOut(request) },
      ...more,
    ];
    return [
      // Not limited: a first visit loads all files at once, and browsers keep them.
      {
        operation,
        method: 'GET',
        path: `${home}/assets/{version}/{file}`,
        respond: (request) => this.#sendAsset(request),
      },
      ...limited.map((route) => this.#limited({ operation, ...route })),
    ];
  }

  /** The login form with an error above it. */
  refusal(request: ServedRequest, status: number, error: string): PlainResponse {
    const depth = request.path.includes('/login/') ? 1 : 0;
    return { ...htmlResponse(this.#login(request, { error, depth })), status };
  }

  /** Logs in with what a form of this console has sent. */
  async admit(
    request: ServedRequest,
    begin: (form: URLSearchParams | undefined) => Promise<ConsoleToken | undefined>,
    refused: { readonly status: number; readonly error: string },
    to: string,
  ): Promise<PlainResponse> {
    const form = await readForm(request, BODY_BYTES_MAX);
    const takeBack = this.#rates.countUnknownKey(request.plain.address);
    if (isFromOtherSite(request)) return this.refusal(request, 403, OTHER_SITE);
    const session = await begin(form);
    if (!session) return this.refusal(request, refused.status, refused.error);
    takeBack();
    const seconds = Math.floor((session.expiresAt - this.#clock.now()) / 1_000);
    const cookie = sessionCookie(request, this.#site.name, session.token, seconds);
    return redirect(to, { ...PAGE_HEADERS, 'set-cookie': cookie });
  }

  #login(request: ServedRequest, state: LoginState = {}): string {
    return loginPage(this.assets, this.#site.form(request), state);
  }

  #sendAsset(request: ServedRequest): PlainResponse {
    const isPresent = request.parameter('version') === this.assets.version;
    const file = isPresent ? this.assets.files.get(request.parameter('file')) : undefined;
    if (!file) throw routeNotFound(request);
    return file(request.headers);
  }

  #logIn(request: ServedRequest): Promise<PlainResponse> {
    const { begin, invalidKey } = this.#site;
    const refused = { status: 401, error: invalidKey };
    return this.admit(request, (form) => begin(form?.get('key')?.trim() ?? '', request), refused, '../console');
  }

  async #logOut(request: ServedRequest): Promise<PlainResponse> {
    const { name, end } = this.#site;
    await readForm(request, BODY_BYTES_MAX);
    const session = consoleSession(request, name);
    // Another site's form must not log anybody out.
    if (session === undefined) return NO_CONTENT;
    await end(session);
    return { ...NO_CONTENT, headers: { 'set-cookie': sessionCookie(request, name, '', 0) } };
  }

  #limited(route: Route): Route {
    return {
      ...route,
      respond: (request) => {
        this.#rates.countPageRequest(request.plain.address);
        return route.respond(request);
      },
      // The script reads problems; a person who sent a form reads a page.
      fail: (error, request, problem) =>
        request.headers[CONSOLE_HEADER] !== undefined || request.method !== 'POST'
          ? problem()
          : this.#failedForm(request, problem(), problemOf(error).message),
    };
  }

  #failedForm(request: ServedRequest, problem: PlainResponse, message: string): PlainResponse {
    const failed = this.refusal(request, problem.status, message);
    const { 'retry-after': retryAfter } = problem.headers;
    return {
      ...failed,
      headers: { ...failed.headers, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) },
    };
  }
}

/** Responds with a page. */
export function htmlResponse(body: string): PlainResponse {
  return { status: 200, headers: PAGE_HEADERS, body };
}
