/** A tiny shop: it takes payments host to host and by redirect, hears by webhooks how they end, and pays out. */
import { readFileSync } from 'node:fs';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { createPaymentsClient } from 'payments-client';
import { admin } from './admin.ts';
import { checkout } from './checkout.ts';
import { Orders } from './orders.ts';
import { messagePage } from './pages.ts';
import { webhooks } from './webhooks.ts';

export interface ShopOptions {
  /** Where the payments API is. */
  gateway: string;
  apiKey: string;
  signingSecret: string;
  /** Where this shop is, for browsers and for the gateway. */
  address: () => string;
}

const STYLE = readFileSync(new URL('shop.css', import.meta.url), 'utf8');
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The shop, ready to listen. */
export function createShop({ gateway, apiKey, signingSecret, address }: ShopOptions): FastifyInstance {
  const client = createPaymentsClient({ baseUrl: gateway, apiKey, userAgent: 'example-shop/1.0' });
  const orders = new Orders();
  const app = fastify();
  app.register(webhooks, { secret: signingSecret, onEvent: (event) => orders.take(event) });
  app.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
    );
    pages.addHook('onRequest', refuseOtherSites);
    pages.addHook('onRequest', async (_, reply) => void reply.headers(HEADERS).type('text/html; charset=utf-8'));
    pages.get('/shop.css', (_, reply) => reply.type('text/css').send(STYLE));
    pages.register(checkout, { client, orders, address });
    pages.register(admin, { client, orders, address });
  });
  app.setNotFoundHandler((_, reply) =>
    reply.code(404).headers(HEADERS).type('text/html; charset=utf-8').send(messagePage('There is nothing here')),
  );
  return app;
}

/** A form on another site must not make this browser pay out. */
async function refuseOtherSites({ method, headers }: FastifyRequest): Promise<void> {
  const site = headers['sec-fetch-site'] ?? 'none';
  if (method !== 'GET' && site !== 'same-origin' && site !== 'none') {
    throw Object.assign(new Error('Forms are taken from this shop only.'), { statusCode: 403 });
  }
}
