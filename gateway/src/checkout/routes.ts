/**
 * The hosted payment page. Its token is the capability: anyone with the link may act on the payment, and other sites
 * don't know it. It has its own parser, errors and headers, separate from the API.
 */

import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { StoreUnavailable } from '../database/store.ts';
import { readForm } from '../http/body.ts';
import { isFromOtherSite } from '../http/browser-checks.ts';
import { type HttpContext, type HttpEnv, NoResponse } from '../http/context.ts';
import { html } from '../http/html.ts';
import { ProblemError, type ProblemName, requestFields } from '../http/problems.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import type { Unavailability } from '../http/unavailability.ts';
import type { Log } from '../platform/log.ts';
import type { Services } from '../transactions/services.ts';
import { cancelOnPage, type PageView, payOnPage, viewPage } from './act-on-page.ts';
import { isAccount, listFields, readAction, readFormInput } from './fields.ts';
import { interpolate, type Language, languageQuery, selectLanguage } from './language.ts';
import type { Page, PageFrame } from './page.ts';
import { en } from './texts/en.ts';
import type { RefusalName } from './texts/text.ts';
import { formPage, pageState, statePage } from './views.ts';

/** The form has a few fields of 255 characters, each of which takes up to 12 bytes. */
const BODY_BYTES_MAX = 16_384;

/** The form of a token. Other texts need no lookup. */
const TOKEN = /^[0-9a-hjkmnp-tv-z]{32}$/;

interface CheckoutOptions {
  readonly services: Services;
  readonly rates: RateLimits;
  readonly log: Log;
  readonly unavailability: Unavailability;
  readonly frame: PageFrame;
}

/** The pages' app, mounted at `/checkout`. */
export function checkoutApp(options: CheckoutOptions): Hono<HttpEnv> {
  const pages = new PaymentPages(options);
  const app = new Hono<HttpEnv>();
  app.onError((error, c) => pages.fail(error, c));
  app.use((c, next) => {
    c.get('request').operation = 'checkout';
    options.rates.countPageRequest(c.env.address);
    return next();
  });
  app.get('/:token', (c) => pages.show(c));
  app.get('/:token/return', (c) => pages.showReturn(c));
  app.post('/:token', (c) => pages.act(c));
  app.all('*', refuseUnknown);
  return app;
}

function languageOfRequest(c: HttpContext): Language {
  return selectLanguage(new URLSearchParams(c.req.query()), c.req.header('accept-language'));
}

/** The token, for every route: a refusal links back to the payment. */
function readToken(c: HttpContext): string {
  return c.req.path.split('/')[2] ?? '';
}

function refuseUnknown(): never {
  throw new PageRefused('unknown');
}

class PaymentPages {
  readonly #options: CheckoutOptions;

  constructor(options: CheckoutOptions) {
    this.#options = options;
  }

  async show(c: HttpContext): Promise<Response> {
    const shown = await this.#find(c);
    const { methods } = this.#options.services;
    const language = languageOfRequest(c);
    const page = shown.open
      ? formPage(shown, language, listFields(methods, shown.payment, language))
      : statePage(shown, language, false);
    return this.#page(c, shown, page);
  }

  async showReturn(c: HttpContext): Promise<Response> {
    const shown = await this.#find(c);
    // Relative, so that it works behind a proxy that serves the gateway under a path.
    const language = languageOfRequest(c);
    const open = `../${readToken(c)}${languageQuery(language)}`;
    if (shown.open) return c.body(null, 303, { ...this.#options.frame.headers, location: open });
    return this.#page(c, shown, statePage(shown, language, true));
  }

  async act(c: HttpContext): Promise<Response> {
    const { services, frame } = this.#options;
    // The token already protects the page, so this is an additional measure.
    if (isFromOtherSite(c)) throw new PageRefused('other-site');
    const form = await readForm(c, BODY_BYTES_MAX);
    const token = readToken(c);
    const shown = await this.#find(c);
    const action = readAction(form?.get('action'));
    const language = languageOfRequest(c);
    if (!form || !action) throw new PageRefused('unreadable');
    if (shown.open && action !== 'cancel') {
      const all = listFields(services.methods, shown.payment, language);
      // The app knows the account.
      const fields = action === 'paid' ? all.filter((field) => !isAccount(field)) : all;
      const entry = readFormInput(services.methods, shown.payment, fields, form);
      if (Object.keys(entry.errors).length > 0) {
        return this.#page(c, shown, formPage(shown, language, all, entry), 422);
      }
      await payOnPage(services, token, entry.items);
    } else if (shown.open) {
      await cancelOnPage(services, token);
    }
    return c.body(null, 303, { ...frame.headers, location: `${token}/return${languageQuery(language)}` });
  }

  fail(error: unknown, c: HttpContext): Response {
    if (error instanceof NoResponse) throw error;
    const request = c.get('request');
    const { services, log, unavailability, frame } = this.#options;
    const refusal = describeRefusal(error);
    const about = requestFields(request);
    if (refusal.status === 503) unavailability.refused(error, about);
    else if (refusal.status >= 500) log.error({ err: error, ...about }, en.refusals[refusal.name].title);
    const token = readToken(c);
    const page = failurePage(refusal.name, languageOfRequest(c), {
      requestId: request.id,
      ...(TOKEN.test(token) && { address: services.checkoutUrl(token) }),
    });
    const { retryAfter } = refusal;
    const headers = { ...frame.headers, ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) };
    return c.body(frame.render(page), refusal.status as ContentfulStatusCode, headers);
  }

  /** Finds the page's payment, whose id the request log then includes. */
  async #find(c: HttpContext): Promise<PageView> {
    const token = readToken(c);
    const shown = TOKEN.test(token) ? await viewPage(this.#options.services, token) : undefined;
    if (!shown) throw new PageRefused('unknown');
    c.get('request').transactionId = shown.payment.id;
    return shown;
  }

  #page(c: HttpContext, shown: PageView, page: Page, status: ContentfulStatusCode = 200): Response {
    const { frame } = this.#options;
    const headers = { ...frame.headers, 'x-page-state': pageState(shown), vary: 'accept-language' };
    return c.body(frame.render(page), status, headers);
  }
}

// Error pages of the payment page, since the API's problems are for programs.

interface Refusal {
  readonly status: number;
  readonly retryAfter?: number;
}

const REFUSALS = {
  unknown: { status: 404 },
  unreadable: { status: 400 },
  'other-site': { status: 403 },
  'other-host': { status: 421 },
  'too-large': { status: 413 },
  'wrong-type': { status: 415 },
  'too-many': { status: 429, retryAfter: 1 },
  unavailable: { status: 503, retryAfter: 1 },
  failed: { status: 500 },
} as const satisfies Readonly<Record<RefusalName, Refusal>>;

/** Problems thrown by code shared with the API. */
const BY_PROBLEM: Readonly<Partial<Record<ProblemName, RefusalName>>> = {
  'body-too-large': 'too-large',
  'unsupported-media-type': 'wrong-type',
  'validation-failed': 'unreadable',
  'misdirected-request': 'other-host',
  'rate-limited': 'too-many',
  unavailable: 'unavailable',
};

/** Thrown for a request that a payment page cannot serve. */
class PageRefused extends Error {
  readonly refusal: RefusalName;
  constructor(name: RefusalName) {
    super(en.refusals[name].title);
    this.refusal = name;
  }
}

/** Maps an error to its refusal. An unexpected error is shown without internals. */
export function describeRefusal(error: unknown): Refusal & { readonly name: RefusalName } {
  const name = classifyRefusal(error);
  return { name, ...REFUSALS[name] };
}

function classifyRefusal(error: unknown): RefusalName {
  if (error instanceof PageRefused) return error.refusal;
  if (error instanceof StoreUnavailable) return 'unavailable';
  const known = error instanceof ProblemError ? BY_PROBLEM[error.problem] : undefined;
  return known ?? 'failed';
}

/** The page of a refusal, with a link back to the payment if there is one. */
function failurePage(
  name: RefusalName,
  language: Language,
  { requestId, address }: { requestId: string; address?: string },
): Page {
  const { refusals, request, openPayment } = language.texts;
  const { status } = REFUSALS[name];
  const { title, text } = refusals[name];
  return {
    title,
    language,
    ...(status >= 500 && { footer: interpolate(language, request, { id: requestId }) }),
    main: html`<main class="result">
<h1>${title}</h1>
<p>${text}</p>
${address !== undefined && status !== 404 && html`<a class="button plain" href="${address}${languageQuery(language)}">${openPayment}</a>`}
</main>`,
  };
}
