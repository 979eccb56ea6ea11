/**
 * Serves a console, and logs people in to it. The console itself uses the API like any other client, from the same origin,
 * with a session instead of a key (http/console-session.ts).
 */
import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { routeNotFound } from '../http/app.ts';
import { readForm } from '../http/body.ts';
import { CONSOLE_HEADER, type ConsoleName, consoleSession, setSession } from '../http/console-session.ts';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import { problemOf } from '../http/errors.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { respond } from '../http/responses.ts';
import { isFromOtherSite } from '../http/same-site.ts';
import type { ConsoleToken } from '../merchants/console-access.ts';
import type { Clock } from '../platform/clock.ts';
import { staticFile } from '../server/static-file.ts';
import { type Assets, readAssets } from './assets.ts';
import { type LoginForm, type LoginState, loginPage, PAGE_HEADERS, renderShell, type Shell } from './pages.ts';

/** A console, and how its sessions begin and end. */
export interface ConsoleSite {
  readonly name: ConsoleName;
  /** Path of its pages. */
  readonly home: string;
  readonly shell: () => Shell;
  readonly form: (c: HttpContext) => LoginForm;
  /** Reports an invalid key and the next step. */
  readonly invalidKey: string;
  /** Begins a session with a key; undefined if the key isn't valid. */
  readonly begin: (key: string, c: HttpContext) => Promise<ConsoleToken | undefined>;
  readonly end: (session: string) => Promise<void>;
}

/** A form with one key. */
const BODY_BYTES_MAX = 4_096;

const OTHER_SITE = 'Another site sent this form. Log in here.';

/** The pages that every console has. */
export class ConsolePages {
  readonly #site: ConsoleSite;
  readonly #rates: RateLimits;
  readonly #clock: Clock;
  #read: Assets | undefined;

  constructor(site: ConsoleSite, { rates, clock }: { readonly rates: RateLimits; readonly clock: Clock }) {
    this.#site = site;
    this.#rates = rates;
    this.#clock = clock;
  }

  /** The files. They are read when they are asked for the first time, so that no start waits for them. */
  get assets(): Assets {
    this.#read ??= readAssets(this.#site.name);
    return this.#read;
  }

  /** Adds the app of the pages at the console's address. */
  mount(app: Hono<HttpEnv>, pages: Hono<HttpEnv>): void {
    const { home } = this.#site;
    // The addresses are relative to the home, so that the console works behind a proxy that serves the gateway under a path.
    app.get(`${home}/`, (c) => c.body(null, 303, { location: '../console' }));
    app.route(home, pages);
  }

  /** The app of the pages. It takes further routes. */
  app(): Hono<HttpEnv> {
    const { name, shell } = this.#site;
    const app = new Hono<HttpEnv>();
    app.use(async (c, next) => {
      c.get('request').operation = name === 'sandbox' ? 'console' : `${name}-console`;
      await next();
      // The script reads problems; a person who sent a form reads a page.
      const isForm = c.req.method === 'POST' && c.req.header(CONSOLE_HEADER) === undefined;
      const status = c.res.status as ContentfulStatusCode;
      if (c.error && isForm) c.res = this.#refuse(c, status, problemOf(c.error).message);
    });
    // Not limited: a first visit loads all files at once, and browsers keep them.
    app.get('/assets/:version/:file', (c) => this.#sendAsset(c));
    app.use((c, next) => {
      this.#rates.countPageRequest(c.env.address);
      return next();
    });
    // The same for everyone, so it may be compressed.
    app.get(
      '/',
      staticFile(
        PAGE_HEADERS['content-type'] ?? '',
        () => Buffer.from(renderShell(this.assets, shell())),
        PAGE_HEADERS,
      ),
    );
    app.get('/login', (c) => c.body(this.#login(c), 200, PAGE_HEADERS));
    app.post('/login', (c) => this.#logIn(c));
    app.post('/logout', (c) => this.#logOut(c));
    return app;
  }

  /** Logs in with a submitted form of this console. */
  async admit(
    c: HttpContext,
    begin: (form: URLSearchParams | undefined) => Promise<ConsoleToken | undefined>,
    refused: { readonly status: 401 | 410; readonly error: string },
    to: string,
  ): Promise<Response> {
    const form = await readForm(c, BODY_BYTES_MAX);
    const takeBack = this.#rates.countUnknownKey(c.env.address);
    if (isFromOtherSite(c)) return this.#refuse(c, 403, OTHER_SITE);
    const session = await begin(form);
    if (!session) return this.#refuse(c, refused.status, refused.error);
    takeBack();
    setSession(c, this.#site.name, session.token, Math.floor((session.expiresAt - this.#clock.now()) / 1_000));
    return c.body(null, 303, { ...PAGE_HEADERS, location: to });
  }

  #login(c: HttpContext, state: LoginState = {}): string {
    return loginPage(this.assets, this.#site.form(c), state);
  }

  /** The login form with an error above it. */
  #refuse(c: HttpContext, status: ContentfulStatusCode, error: string): Response {
    const depth = c.req.path.includes('/login/') ? 1 : 0;
    return c.body(this.#login(c, { error, depth }), status, PAGE_HEADERS);
  }

  #sendAsset(c: HttpContext): Response {
    const isPresent = c.req.param('version') === this.assets.version;
    const send = isPresent ? this.assets.files.get(c.req.param('file') ?? '') : undefined;
    return send ? send(c) : routeNotFound(c);
  }

  #logIn(c: HttpContext): Promise<Response> {
    const { begin, invalidKey } = this.#site;
    const refused = { status: 401, error: invalidKey } as const;
    return this.admit(c, (form) => begin(form?.get('key')?.trim() ?? '', c), refused, '../console');
  }

  async #logOut(c: HttpContext): Promise<Response> {
    const { name, end } = this.#site;
    await readForm(c, BODY_BYTES_MAX);
    const session = consoleSession(c, name);
    // A form on another site must not log anyone out.
    if (session === undefined) return respond(c, 204, null);
    await end(session);
    setSession(c, name, '', 0);
    return c.body(null, 204);
  }
}
