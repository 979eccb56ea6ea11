/**
 * The hosted payment page. Anyone who has the link may act on the payment: its token is the capability, so a page on
 * another site, which does not know it, can do nothing here. It has its own parser, errors and headers, separate from the API.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Payment } from '../domain/transaction.ts';
import { endCutRequest } from '../http/errors.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { isFromOtherSite } from '../http/same-site.ts';
import type { Unavailability } from '../http/unavailability.ts';
import { cancelOnPage, type PageView, payOnPage, viewPage } from '../operations/act-on-page.ts';
import type { Services } from '../operations/operation.ts';
import type { Log } from '../platform/log.ts';
import { fieldsOf, readAction, readEntry, withoutAccount } from './fields.ts';
import { type Language, languageOf, languageQuery } from './language.ts';
import { PAGE_HEADERS, type Page, render } from './page.ts';
import { failurePage, Refused, refusalOf } from './refusals.ts';
import { en } from './texts/en.ts';
import { formPage, statePage } from './views.ts';

/** The form has a few fields of 255 characters, each of which takes up to 12 bytes. */
const BODY_BYTES_MAX = 16_384;

/** As ids.ts makes them; anything else need not be looked for. */
const TOKEN = /^[0-9a-hjkmnp-tv-z]{32}$/;

interface CheckoutContext {
  readonly services: Services;
  readonly log: Log;
  readonly unavailability: Unavailability;
}

type Route = { Params: { token: string } };

/** Adds the pages under the prefix that it is registered with. */
export async function checkout(
  app: FastifyInstance,
  { rates, ...context }: CheckoutContext & { rates: RateLimits },
): Promise<void> {
  const { services } = context;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
    async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
  );
  app.addHook('onRequest', async (request, reply) => {
    request.operation = 'checkout';
    reply.headers(PAGE_HEADERS);
    rates.countPageRequest(request.ip);
  });
  app.setNotFoundHandler((request, reply) => sendFailure(context, new Refused('unknown'), request, reply));
  app.setErrorHandler((error, request, reply) => sendFailure(context, error, request, reply));

  app.get<Route>('/:token', async (request, reply) => {
    const shown = await show(services, request);
    const language = requestLanguage(request);
    const page = shown.open
      ? formPage(shown, language, fieldsOf(services.methods, shown.payment, language))
      : statePage(shown, language, false);
    return send(reply, shown.payment, page);
  });

  app.get<Route>('/:token/return', async (request, reply) => {
    const { token } = request.params;
    const shown = await show(services, request);
    // Relative, so that it holds behind a proxy that serves the gateway under a path.
    if (shown.open) return reply.redirect(`../${token}${languageQuery(requestLanguage(request))}`, 303);
    return send(reply, shown.payment, statePage(shown, requestLanguage(request), true));
  });

  app.post<Route>('/:token', { onRequest: refuseOtherSites }, async (request, reply) => {
    const { token } = request.params;
    const shown = await show(services, request);
    const form = request.body as URLSearchParams | undefined;
    const action = readAction(form?.get('action'));
    const language = requestLanguage(request);
    if (!form || !action) throw new Refused('unreadable');
    if (shown.open && action !== 'cancel') {
      const all = fieldsOf(services.methods, shown.payment, language);
      const fields = action === 'paid' ? withoutAccount(all) : all;
      const entry = readEntry(services.methods, shown.payment, fields, form);
      if (Object.keys(entry.errors).length > 0) {
        return send(reply.code(422), shown.payment, formPage(shown, language, all, entry));
      }
      await payOnPage(services, token, entry.items);
    } else if (shown.open) {
      await cancelOnPage(services, token);
    }
    return reply.redirect(`${token}/return${languageQuery(language)}`, 303);
  });
}

function requestLanguage({ url, headers }: FastifyRequest): Language {
  return languageOf(new URLSearchParams(url.split('?')[1]), headers['accept-language']);
}

/** Finds the payment of the page, under whose id the request is then logged. */
async function show(services: Services, request: FastifyRequest<Route>): Promise<PageView> {
  const { token } = request.params;
  const shown = TOKEN.test(token) ? await viewPage(services, token) : undefined;
  if (!shown) throw new Refused('unknown');
  request.transactionId = shown.payment.id;
  return shown;
}

/** The script of a page that waits reads the status from the header. */
function send(reply: FastifyReply, { status }: Payment, page: Page): FastifyReply {
  return reply.headers({ 'x-payment-status': status, vary: 'accept-language' }).send(render(page));
}

/** Refuses a form that another site sent. The token protects already, this only adds to it. */
async function refuseOtherSites(request: FastifyRequest): Promise<void> {
  if (isFromOtherSite(request)) throw new Refused('other-site');
}

function sendFailure(
  { services, log, unavailability }: CheckoutContext,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const cut = endCutRequest(error, request, reply);
  if (cut) return cut;
  const refusal = refusalOf(error);
  const language = requestLanguage(request);
  const about = { request_id: request.id, operation: request.operation, transaction_id: request.transactionId };
  if (refusal.status === 503) unavailability.refused(error, about);
  else if (refusal.status >= 500) log.error({ err: error, ...about }, en.refusals[refusal.name].title);
  const { token = '' } = (request.params ?? {}) as Partial<Route['Params']>;
  if (refusal.retryAfter !== undefined) reply.header('retry-after', refusal.retryAfter);
  return reply
    .code(refusal.status)
    .headers(PAGE_HEADERS)
    .send(
      render(
        failurePage(refusal.name, language, {
          requestId: request.id,
          ...(TOKEN.test(token) && { address: services.checkoutUrl(token) }),
        }),
      ),
    );
}
