/**
 * Serves the console, and logs merchants and operators in. The console itself uses the API like any other client, from the
 * same origin, with a session instead of a key (http/console-session.ts).
 */
import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { BUNDLE_FILE } from '../../../contract/src/model.ts';
import { routeNotFound } from '../http/app.ts';
import { readForm } from '../http/body.ts';
import { isFromOtherSite } from '../http/browser-checks.ts';
import { CONSOLE_HEADER, consoleSession, setSession } from '../http/console-session.ts';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import { API_FILES } from '../http/gateway-apis.ts';
import { toProblem } from '../http/problems.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { respond } from '../http/responses.ts';
import { findOperatorKey } from '../management/lookups.ts';
import { findKey, type KeyPolicy } from '../merchants/api-keys.ts';
import {
  type ConsoleToken,
  createConsoleSession,
  endConsoleSession,
  redeemConsoleLink,
} from '../merchants/console-access.ts';
import { staticFile } from '../server/static-file.ts';
import type { Services } from '../transactions/services.ts';
import {
  type Assets,
  confirmPage,
  type LoginState,
  loginPage,
  PAGE_HEADERS,
  readAssets,
  renderShell,
} from './pages.ts';

export interface ConsoleOptions {
  readonly services: Pick<Services, 'store' | 'clock' | 'methods'>;
  readonly rates: RateLimits;
  /** Keys of merchants to accept. */
  readonly keyPolicy: KeyPolicy;
  /** Whether it simulates. Merchants can log in with a link only then. */
  readonly sandbox: boolean;
}

/** A form with one key. */
const BODY_BYTES_MAX = 4_096;

const OTHER_SITE = 'Another site sent this form. Log in here.';
const INVALID_KEY =
  'This key is not valid. Check that it is complete, not revoked, and of this gateway. Keys of merchants begin with sk_, keys of operators with op_.';
const UNUSABLE_LINK =
  'This link has been used, or is older than 15 minutes. Log in with your API key, or create another link.';

/** Documents from which the console makes its forms. They are the same for everyone. */
const DOCUMENTS = { contract: BUNDLE_FILE, management: API_FILES.management, sandbox: API_FILES.sandbox };

/** Adds the console at `/console`. */
export function addConsole(app: Hono<HttpEnv>, options: ConsoleOptions): void {
  // The addresses are relative to it, so that it works behind a proxy that serves the gateway under a path.
  app.get('/console/', (c) => c.body(null, 303, { location: '../console' }));
  app.route('/console', new Console(options).routes());
}

class Console {
  readonly #options: ConsoleOptions;
  #read: Assets | undefined;

  constructor(options: ConsoleOptions) {
    this.#options = options;
  }

  /** Read with the first request, so that the start needn't wait. */
  get #assets(): Assets {
    this.#read ??= readAssets();
    return this.#read;
  }

  routes(): Hono<HttpEnv> {
    const { rates, services, sandbox } = this.#options;
    const app = new Hono<HttpEnv>();
    app.use(async (c, next) => {
      c.get('request').operation = 'console';
      await next();
      // The script reads problems; a person who sent a form reads a page.
      const isForm = c.req.method === 'POST' && c.req.header(CONSOLE_HEADER) === undefined;
      if (c.error && isForm) c.res = this.#refuse(c, c.res.status as ContentfulStatusCode, toProblem(c.error).message);
    });
    // Not limited: a first visit loads all files at once, and browsers cache them.
    app.get('/assets/:version/:file', (c) => this.#sendAsset(c));
    app.use((c, next) => {
      rates.countPageRequest(c.env.address);
      return next();
    });
    // It may be compressed, since it contains no data.
    const shell = () => Buffer.from(renderShell(this.#assets, { methods: services.methods, sandbox }));
    app.get('/', staticFile(PAGE_HEADERS['content-type'] ?? '', shell, PAGE_HEADERS));
    for (const [name, source] of Object.entries(DOCUMENTS)) {
      if (name === 'sandbox' && !sandbox) continue;
      const headers = { 'cross-origin-resource-policy': 'same-origin' };
      app.get(
        `/${name}.json`,
        staticFile('application/json; charset=utf-8', () => readFileSync(source), headers),
      );
    }
    app.get('/login', (c) => this.#sendLogin(c, 200));
    app.post('/login', (c) => this.#logIn(c));
    app.post('/logout', (c) => this.#logOut(c));
    if (sandbox) {
      app.get('/login/:token', (c) => this.#openLink(c));
      app.post('/login/:token', (c) => this.#redeemLink(c));
    }
    return app;
  }

  #sendAsset(c: HttpContext): Response {
    const isCurrent = c.req.param('version') === this.#assets.version;
    const send = isCurrent ? this.#assets.files.get(c.req.param('file') ?? '') : undefined;
    return send ? send(c) : routeNotFound(c);
  }

  #sendLogin(c: HttpContext, status: ContentfulStatusCode, state: LoginState = {}): Response {
    const { protocol, host } = c.env;
    return c.body(loginPage(this.#assets, `${protocol}://${host}`, state), status, PAGE_HEADERS);
  }

  /** The login form with an error above it. */
  #refuse(c: HttpContext, status: ContentfulStatusCode, error: string): Response {
    return this.#sendLogin(c, status, { error, depth: c.req.path.includes('/login/') ? 1 : 0 });
  }

  #logIn(c: HttpContext): Promise<Response> {
    const refused = { status: 401, error: INVALID_KEY } as const;
    return this.#admit(c, (form) => this.#beginSession(c, form?.get('key')?.trim() ?? ''), refused, '../console');
  }

  async #beginSession(c: HttpContext, key: string): Promise<ConsoleToken | undefined> {
    const { services, keyPolicy } = this.#options;
    const { store, clock } = services;
    const valid = await findOperatorKey(store, key, clock.now());
    if (valid) {
      // The log says who has logged in.
      c.get('request').operatorId = valid.operator.id;
      return store.unit((db) => createConsoleSession(db, { operatorKeyId: valid.keyId }, clock.now()));
    }
    if (!(await findKey(store.read, key, keyPolicy))) return undefined;
    return store.unit((db) => createConsoleSession(db, { key }, clock.now()));
  }

  async #openLink(c: HttpContext): Promise<Response> {
    // A browser that prefetches the link, or shows it inside another page, doesn't use it up.
    if (!isOpened(c)) return respond(c, 204, null);
    if (isFromOtherSite(c)) return c.body(confirmPage(this.#assets), 200, PAGE_HEADERS);
    return this.#redeemLink(c);
  }

  #redeemLink(c: HttpContext): Promise<Response> {
    const { store, clock } = this.#options.services;
    const redeem = () => store.unit((db) => redeemConsoleLink(db, c.req.param('token') ?? '', clock.now()));
    return this.#admit(c, redeem, { status: 410, error: UNUSABLE_LINK }, '../../console');
  }

  /** Begins a session and redirects, or shows the login form with an error. */
  async #admit(
    c: HttpContext,
    begin: (form: URLSearchParams | undefined) => Promise<ConsoleToken | undefined>,
    refused: { readonly status: 401 | 410; readonly error: string },
    to: string,
  ): Promise<Response> {
    const { rates, services } = this.#options;
    const form = await readForm(c, BODY_BYTES_MAX);
    const revert = rates.countUnknownKey(c.env.address);
    if (isFromOtherSite(c)) return this.#refuse(c, 403, OTHER_SITE);
    const session = await begin(form);
    if (!session) return this.#refuse(c, refused.status, refused.error);
    revert();
    setSession(c, session.token, Math.floor((session.expiresAt - services.clock.now()) / 1_000));
    return c.body(null, 303, { ...PAGE_HEADERS, location: to });
  }

  async #logOut(c: HttpContext): Promise<Response> {
    const { store } = this.#options.services;
    await readForm(c, BODY_BYTES_MAX);
    const session = consoleSession(c);
    // A form on another site must not log anyone out.
    if (session === undefined) return respond(c, 204, null);
    await store.unit((db) => endConsoleSession(db, session));
    setSession(c, '', 0);
    return c.body(null, 204);
  }
}

/** Whether a person views the response. Only browsers report it. */
function isOpened({ req }: HttpContext): boolean {
  if (req.method !== 'GET') return false;
  const purpose = req.header('sec-purpose') ?? req.header('purpose');
  return purpose === undefined && (req.header('sec-fetch-dest') ?? 'document') === 'document';
}
