/** Pages for the shop's owner: orders as webhooks reported them, wallet, payouts. A real shop asks for a login. */
import type { FastifyInstance } from 'fastify';
import {
  CallError,
  type Payout,
  type Problem,
  parseMoney,
  sendPayout,
  type ValidationProblem,
  waitForPayout,
} from 'payments-client';
import { answer, type Entries, type Form, pageStatus, type Services, toProblem, WAIT_OPTIONS } from './calls.ts';
import { isOrderId, newOrderId } from './orders.ts';
import { adminPage } from './pages.ts';

/** A problem that the shop finds itself, without a request to the API. */
const WRONG_ENTRY: ValidationProblem = { type: 'about:blank', status: 400, violations: [] };
/** The form's reference doesn't belong to a payout of this shop. */
const STALE_FORM: Problem = {
  ...WRONG_ENTRY,
  title: 'Open this page again',
  detail: 'Its form is not from this shop.',
};

export async function admin(app: FastifyInstance, { client, orders, address }: Services): Promise<void> {
  app.get<Form>('/admin', async ({ query }) => {
    const id = orders.find(query.payout)?.transactionId;
    const waited = id ? await waitForPayout(client, id, WAIT_OPTIONS) : undefined;
    return waited?.outcome === 'problem' ? show({ problem: waited.error }) : show({ payout: waited?.data });
  });

  app.post<Form>('/admin/payouts', async ({ body: entries }, reply) => {
    const problem = await payOut(entries);
    if (!problem) return reply.redirect(`/admin?payout=${entries['order_id']}`, 303);
    // A stale form gets a new reference, too.
    return reply
      .code(pageStatus(problem))
      .send(await show(problem === STALE_FORM ? { problem } : { problem, entries }));
  });

  /** The reference comes with the form, so that sending it twice, or again after a failure, pays once. */
  async function payOut(entries: Entries): Promise<Problem | undefined> {
    const { order_id = '', customer_id = '', account_number = '', bank_code = '' } = entries;
    if (!isOrderId(order_id)) return STALE_FORM;
    let amount: number;
    try {
      amount = parseMoney(entries['amount'] ?? '', 'INR');
    } catch (error) {
      return { ...WRONG_ENTRY, title: 'Check the amount', detail: (error as Error).message };
    }
    const title = `Payout to ${account_number}`;
    const known = orders.find(order_id);
    const order = known ?? orders.add({ kind: 'payout', title, amount, currency: 'INR' }, order_id);
    if (order.kind !== 'payout') return STALE_FORM;
    const request = {
      amount,
      currency: 'INR',
      merchant_order_id: order_id,
      payment_method_type: 'IMPS_IN',
      customer: { id: customer_id, account_number, bank_code },
      callback_url: `${address()}/webhooks/payments`,
    } as const;
    const result = await sendPayout(client, request, { sentBefore: known !== undefined });
    if (result.outcome === 'accepted') {
      Object.assign(order, { title, amount, transactionId: result.data.transaction_id });
      return undefined;
    }
    const problem = result.error instanceof CallError ? toProblem() : result.error;
    order.problem = `${result.outcome}: ${problem.title}`;
    return problem;
  }

  async function show(shown: { payout?: Payout | undefined; problem?: Problem; entries?: Entries }): Promise<string> {
    const { data: balance, error } = await answer(client.GET('/merchant/balance'));
    const { payout, problem = error, entries = { order_id: newOrderId() } } = shown;
    return adminPage({ orders: orders.all(), balance, payout, problem, entries });
  }
}
