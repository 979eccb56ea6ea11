/** Buying: the shop's page, the creation of a payment, and the order's page, which leads through the H2H flow. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type CreatePaymentRequest, type Payment, type Problem, waitForPayment } from 'payments-client';
import { answer, type Entries, type Form, pageStatus, type Services, WAIT_OPTIONS } from './calls.ts';
import type { Order } from './orders.ts';
import { orderPage, PRODUCTS, shopPage } from './pages.ts';

export async function checkout(app: FastifyInstance, { client, orders, address, validityMs }: Services): Promise<void> {
  app.get('/', (_, reply) => reply.send(shopPage()));

  app.post<Form>('/orders', async ({ body: entries }, reply) => {
    const product = PRODUCTS.find(({ title }) => title === entries['product']) ?? PRODUCTS[0];
    // Kept before the call, since its webhook may arrive before its response.
    const order = orders.add({ kind: 'payment', ...product });
    const { data, error } = await answer(client.POST('/payments', { body: paymentRequest(order, entries, address()) }));
    if (error) {
      order.problem = error.title ?? 'The payment could not be created';
      return reply.code(pageStatus(error)).send(shopPage(entries, error));
    }
    order.transactionId = data.transaction_id;
    if (data.status === 'CREATED' && data.redirect_url) order.redirectUrl = data.redirect_url;
    return reply.redirect(order.redirectUrl ?? `/orders/${order.id}`, 303);
  });

  // The payment page also returns here. Its query isn't trusted, because anyone can write it.
  app.get<Form>('/orders/:id', async ({ params }, reply) => {
    const order = orders.find(params.id);
    if (!order?.transactionId) return reply.callNotFound();
    return showOrder(reply, order);
  });

  app.post<Form>('/orders/:id/:action(clarify|confirm)', async ({ params, body: entries }, reply) => {
    const order = orders.find(params.id);
    if (!order?.transactionId) return reply.callNotFound();
    const path = { transaction_id: order.transactionId };
    const { error } = await answer<{ error?: Problem }>(
      params.action === 'clarify'
        ? client.POST('/payments/{transaction_id}/clarify', { params: { path }, body: { clarify_data: entries } })
        : client.POST('/payments/{transaction_id}/confirm', { params: { path }, body: { confirm_data: entries } }),
    );
    if (error) return showOrder(reply.code(pageStatus(error)), order, error);
    return reply.redirect(`/orders/${order.id}`, 303);
  });

  async function showOrder(reply: FastifyReply, order: Order, problem?: Problem): Promise<FastifyReply> {
    const { data, error } = await readPayment(order);
    return reply.send(orderPage({ order, payment: data, problem: problem ?? error, validityMs }));
  }

  /** By redirect the customer acts elsewhere, so the payment is read once; host to host the next state comes soon. */
  async function readPayment({
    transactionId = '',
    redirectUrl,
  }: Order): Promise<{ data?: Payment | undefined; error?: Problem }> {
    if (redirectUrl) {
      const params = { path: { transaction_id: transactionId } };
      return answer(client.GET('/payments/{transaction_id}', { params }));
    }
    const waited = await waitForPayment(client, transactionId, WAIT_OPTIONS);
    return waited.outcome === 'problem' ? { error: waited.error } : { data: waited.data };
  }
}

function paymentRequest({ id, amount, currency }: Order, entries: Entries, address: string): CreatePaymentRequest {
  const { customer_id = '', name, phone, flow } = entries;
  return {
    amount,
    currency,
    merchant_order_id: id,
    payment_method_type: 'UPI_IN',
    customer: { id: customer_id, ...(name && { name }), ...(phone && { phone }) },
    callback_url: `${address}/webhooks/payments`,
    // If a method supports both flows, `return_url` selects redirect.
    ...(flow === 'redirect' && { return_url: `${address}/orders/${id}` }),
  };
}
