/**
 * The hosted payment page. Anyone who has the link may act on the payment: its token is the capability, so a page on
 * another site, which does not know it, can do nothing here. It has its own parser, errors and headers, separate from the API.
 */
import type { Payment } from '../domain/transaction.ts';
import { readForm } from '../http/body.ts';
import { requestFields } from '../http/errors.ts';
import { type PlainResponse, redirect } from '../http/plain.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import type { Route } from '../http/router.ts';
import { isFromOtherSite } from '../http/same-site.ts';
import type { ServedRequest } from '../http/served-request.ts';
import type { Unavailability } from '../http/unavailability.ts';
import { cancelOnPage, type PageView, payOnPage, viewPage } from '../operations/act-on-page.ts';
import type { Services } from '../operations/operation.ts';
import type { Log } from '../platform/log.ts';
import { inSpan } from '../platform/tracing.ts';
import { fieldsOf, readAction, readFormInput, withoutAccount } from './fields.ts';
import { type Language, languageOf, languageQuery } from './language.ts';
import type { Page, PageFrame } from './page.ts';
import { describeRefusal, failurePage, PageRefused } from './refusals.ts';
import { en } from './texts/en.ts';
import { formPage, statePage } from './views.ts';

/** The form has a few fields of 255 characters, each of which takes up to 12 bytes. */
const BODY_BYTES_MAX = 16_384;

/** As ids.ts makes them; anything else need not be looked for. */
const TOKEN = /^[0-9a-hjkmnp-tv-z]{32}$/;

export interface CheckoutOptions {
  readonly services: Services;
  readonly rates: RateLimits;
  readonly log: Log;
  readonly unavailability: Unavailability;
  /** The document around each page. */
  readonly frame: PageFrame;
}

/** The routes of the pages. */
export function checkoutRoutes(options: CheckoutOptions): Route[] {
  const pages = new PaymentPages(options);
  const routes: Pick<Route, 'method' | 'path' | 'respond'>[] = [
    { method: 'GET', path: '/checkout/{token}', respond: (request) => pages.show(request) },
    { method: 'GET', path: '/checkout/{token}/return', respond: (request) => pages.showReturn(request) },
    { method: 'POST', path: '/checkout/{token}', respond: (request) => pages.act(request) },
    ...['/checkout', '/checkout/*'].map((path) => ({ method: '*', path, respond: refuseUnknown })),
  ];
  return routes.map((route) => ({
    ...route,
    operation: 'checkout',
    respond(request) {
      options.rates.countPageRequest(request.plain.address);
      return route.respond(request);
    },
    fail: (error, request) => pages.fail(error, request),
  }));
}

function languageOfRequest({ plain: { target }, headers }: ServedRequest): Language {
  return languageOf(new URLSearchParams(target.split('?')[1]), headers['accept-language']);
}

function refuseUnknown(): never {
  throw new PageRefused('unknown');
}

class PaymentPages {
  readonly #options: CheckoutOptions;

  constructor(options: CheckoutOptions) {
    this.#options = options;
  }

  async show(request: ServedRequest): Promise<PlainResponse> {
    const shown = await this.#find(request);
    const { methods } = this.#options.services;
    const language = languageOfRequest(request);
    const page = shown.open
      ? formPage(shown, language, fieldsOf(methods, shown.payment, language))
      : statePage(shown, language, false);
    return this.#page(shown.payment, page);
  }

  async showReturn(request: ServedRequest): Promise<PlainResponse> {
    const shown = await this.#find(request);
    // Relative, so that it holds behind a proxy that serves the gateway under a path.
    const language = languageOfRequest(request);
    const open = `../${request.parameter('token')}${languageQuery(language)}`;
    if (shown.open) return redirect(open, this.#options.frame.headers);
    return this.#page(shown.payment, statePage(shown, language, true));
  }

  async act(request: ServedRequest): Promise<PlainResponse> {
    const { services, frame } = this.#options;
    // The token protects already; this only adds to it.
    if (isFromOtherSite(request)) throw new PageRefused('other-site');
    const form = await readForm(request, BODY_BYTES_MAX);
    const token = request.parameter('token');
    const shown = await this.#find(request);
    const action = readAction(form?.get('action'));
    const language = languageOfRequest(request);
    if (!form || !action) throw new PageRefused('unreadable');
    if (shown.open && action !== 'cancel') {
      const all = fieldsOf(services.methods, shown.payment, language);
      const fields = action === 'paid' ? withoutAccount(all) : all;
      const entry = readFormInput(services.methods, shown.payment, fields, form);
      if (Object.keys(entry.errors).length > 0) {
        return { ...this.#page(shown.payment, formPage(shown, language, all, entry)), status: 422 };
      }
      await payOnPage(inSpan(services, request.span), token, entry.items);
    } else if (shown.open) {
      await cancelOnPage(inSpan(services, request.span), token);
    }
    return redirect(`${token}/return${languageQuery(language)}`, frame.headers);
  }

  /** The page of an error. */
  fail(error: unknown, request: ServedRequest): PlainResponse {
    const { services, log, unavailability, frame } = this.#options;
    const refusal = describeRefusal(error);
    const about = requestFields(request);
    if (refusal.status === 503) unavailability.refused(error, about);
    else if (refusal.status >= 500) log.error({ err: error, ...about }, en.refusals[refusal.name].title);
    const token = request.parameter('token');
    const page = failurePage(refusal.name, languageOfRequest(request), {
      requestId: request.id,
      ...(TOKEN.test(token) && { address: services.checkoutUrl(token) }),
    });
    const { retryAfter } = refusal;
    return {
      status: refusal.status,
      headers: { ...frame.headers, ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) },
      body: frame.render(page),
    };
  }

  /** Finds the payment of the page, under whose id the request is then logged. */
  async #find(request: ServedRequest): Promise<PageView> {
    const token = request.parameter('token');
    const shown = TOKEN.test(token) ? await viewPage(this.#options.services, token) : undefined;
    if (!shown) throw new PageRefused('unknown');
    request.transactionId = shown.payment.id;
    return shown;
  }

  /** The script of a page that waits reads the status from the header. */
  #page({ status }: Payment, page: Page): PlainResponse {
    const { frame } = this.#options;
    const headers = { ...frame.headers, 'x-payment-status': status, vary: 'accept-language' };
    return { status: 200, headers, body: frame.render(page) };
  }
}
