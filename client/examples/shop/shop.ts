/** A tiny shop: it takes payments host to host and by redirect, hears by webhooks how they end, and pays out. */
import { readFileSync } from 'node:fs';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createPaymentsClient } from 'payments-client';
import { paymentsWebhook } from '../../recipes/fastify.ts';
import { admin } from './admin.ts';
import { checkout } from './checkout.ts';
import { Orders } from './orders.ts';
import { messagePage } from './pages.ts';

export interface ShopOptions {
  /** Base URL of the payments API. */
  gateway: string;
  apiKey: string;
  signingSecret: string;
  /** Base URL of this shop, for browsers and for the gateway. */
  address: () => string;
  /** Milliseconds to pay, for the countdown. Agree on them with your provider, since the API does not say them. */
  validityMs?: number | undefined;
}

const FILES = { 'shop.css': 'text/css', 'shop.js': 'text/javascript' };
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  // With no-referrer, browsers would hide the origin of this shop's own forms from it.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** The shop, ready to listen. */
export function createShop({ gateway, apiKey, signingSecret, ...given }: ShopOptions): FastifyInstance {
  const client = createPaymentsClient({ baseUrl: gateway, apiKey, userAgent: 'example-shop/1.0' });
  const orders = new Orders();
  const app = fastify();
  app.register(paymentsWebhook, { secret: signingSecret, apply: (event) => orders.apply(event) });
  app.register(async (pages) => {
    // Pages accept only forms.
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
    );
    pages.addHook('onRequest', refuseOtherSites);
    pages.addHook('onRequest', async (_, reply) => void asPage(reply));
    pages.addHook('preHandler', async (request) => {
      request.body ??= {};
    });
    pages.setErrorHandler(sendError);
    for (const [name, type] of Object.entries(FILES)) {
      const text = readFileSync(new URL(name, import.meta.url), 'utf8');
      pages.get(`/${name}`, (_, reply) => reply.type(`${type}; charset=utf-8`).send(text));
    }
    pages.register(checkout, { client, orders, ...given });
    pages.register(admin, { client, orders, ...given });
  });
  app.setNotFoundHandler((_, reply) => asPage(reply.code(404)).send(messagePage('There is nothing here')));
  return app;
}

function asPage(reply: FastifyReply): FastifyReply {
  return reply.headers(HEADERS).type('text/html; charset=utf-8');
}

/** A form on another site must not make this browser pay out. Browsers that do not name the site name the origin. */
async function refuseOtherSites({ method, headers }: FastifyRequest): Promise<void> {
  if (method === 'GET' || method === 'HEAD') return;
  const { origin = '', host = '', 'sec-fetch-site': site } = headers;
  const own = site === undefined ? URL.parse(origin)?.host === host : ['same-origin', 'none'].includes(`${site}`);
  if (!own) throw Object.assign(new Error('Forms are taken from this shop only'), { statusCode: 403 });
}

/** Mistakes of the sender are named to him; others are for the log. */
function sendError(error: FastifyError, _: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { statusCode = 500 } = error;
  if (statusCode >= 500) console.error(error);
  const message = statusCode >= 500 ? 'Something went wrong' : error.message;
  return asPage(reply.code(statusCode)).send(messagePage(message));
}
