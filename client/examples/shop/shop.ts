/** A tiny shop: it takes payments host to host and by redirect, hears by webhooks how they end, and pays out. */
import { readFileSync } from 'node:fs';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import {
  CallError,
  createPaymentsClient,
  type Payment,
  parseMoney,
  type Problem,
  waitForPayment,
  waitForPayout,
} from 'payments-client';
import { type Entries, html } from './html.ts';
import { newOrderId, type Order, Orders } from './orders.ts';
import { adminPage, orderPage, PRODUCTS, page, problemBox, shopPage } from './pages.ts';
import { webhooks } from './webhooks.ts';

export interface ShopOptions {
  /** Where the payments API is. */
  gateway: string;
  apiKey: string;
  signingSecret: string;
  /** Where this shop is, as browsers and the gateway reach it. */
  address: () => string;
}

type Form = { Body: Entries; Params: { id: string }; Querystring: { payout?: string } };

const STYLE = readFileSync(new URL('shop.css', import.meta.url));
/** How long a page waits for the next state before it shows that it waits. */
const PATIENCE = { deadlineMs: 3_000, pauseMs: 100 };
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The shop, ready to listen. */
export function createShop({ gateway, apiKey, signingSecret, address }: ShopOptions): FastifyInstance {
  const client = createPaymentsClient({ baseUrl: gateway, apiKey });
  const orders = new Orders();
  const app = fastify();
  app.register(webhooks, { secret: signingSecret, onEvent: (event) => orders.take(event) });
  acceptForms(app);

  const callback_url = () => `${address()}/webhooks`;

  app.get('/', (_request, reply) => send(reply, shopPage()));

  app.post<Form>('/orders', async ({ body: entries }, reply) => {
    const product = PRODUCTS.find(({ id }) => id === entries['product']) ?? PRODUCTS[0];
    // Kept before the call, since its webhook may arrive before its answer.
    const order = orders.add({ kind: 'payment', ...product });
    const { id = '', name, phone } = entries;
    const { data, error } = await answer(
      client.POST('/payments', {
        body: {
          amount: product.amount,
          currency: 'INR',
          merchant_order_id: order.id,
          payment_method_type: 'UPI_IN',
          customer: { id, ...(name && { name }), ...(phone && { phone }) },
          callback_url: callback_url(),
          // A method that has both flows takes the redirect when there is an address to return to.
          ...(entries['flow'] === 'redirect' && { return_url: `${address()}/orders/${order.id}` }),
        },
      }),
    );
    if (error) return refuse(reply, error, order, (problem) => shopPage(entries, problem));
    order.transactionId = data.transaction_id;
    if (data.status === 'CREATED' && data.redirect_url) order.redirectUrl = data.redirect_url;
    return reply.redirect(order.redirectUrl ?? `/orders/${order.id}`, 303);
  });

  // Also where the payment page returns to: what its query says is not believed, the API is asked.
  app.get<Form>('/orders/:id', async ({ params }, reply) => {
    const order = orders.find(params.id);
    if (!order?.transactionId) return reply.callNotFound();
    const { data, error } = await readPayment(order);
    return send(reply, orderPage(order, data, error));
  });

  app.post<Form>('/orders/:id/clarify', (request, reply) =>
    act(request.params.id, reply, (params) =>
      client.POST('/payments/{transaction_id}/clarify', { params, body: { clarify_data: request.body } }),
    ),
  );

  app.post<Form>('/orders/:id/confirm', (request, reply) =>
    act(request.params.id, reply, (params) =>
      client.POST('/payments/{transaction_id}/confirm', { params, body: { confirm_data: request.body } }),
    ),
  );

  // A real shop asks for a login here.
  app.get<Form>('/admin', async ({ query }, reply) => {
    const id = orders.find(query.payout)?.transactionId;
    const waited = id ? await answer(waitForPayout(client, id, PATIENCE)) : undefined;
    const balance = await answer(client.GET('/merchant/balance'));
    const problem = waited?.error ?? balance.error;
    return send(
      reply,
      adminPage({ orders: orders.all(), balance: balance.data, payout: waited?.data, orderId: newOrderId(), problem }),
    );
  });

  app.post<Form>('/admin/payouts', async ({ body: entries }, reply) => {
    const show = async (problem: Problem) => {
      const { data } = await answer(client.GET('/merchant/balance'));
      // The same reference again only if the payout may exist already: then repeating it pays no second time.
      const orderId = problem.status >= 500 ? order.id : newOrderId();
      return adminPage({ orders: orders.all(), balance: data, payout: undefined, orderId, entries, problem });
    };
    const { id = '', order_id, name, account_number = '', bank_code = '' } = entries;
    const amount = amountOf(entries['amount']);
    const order =
      orders.find(order_id) ?? orders.add({ kind: 'payout', title: `To ${account_number}`, amount }, order_id);
    const { data, error } = await answer(
      client.POST('/payouts', {
        body: {
          amount,
          currency: 'INR',
          merchant_order_id: order.id,
          payment_method_type: 'IMPS_IN',
          customer: { id, ...(name && { name }), account_number, bank_code },
          callback_url: callback_url(),
        },
      }),
    );
    if (error) return refuse(reply, error, order, show);
    order.transactionId = data.transaction_id;
    return reply.redirect(`/admin?payout=${order.id}`, 303);
  });
  return app;
}
