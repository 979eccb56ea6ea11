/** The guide for coding agents, step by step, with the client and its recipes as the agent's code. */
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, it, vi } from 'vitest';
import { Orders, payOut } from '../../client/recipes/orders.ts';
import { reconcile } from '../../client/recipes/reconcile.ts';
import { type CreatePaymentRequest, createPaymentsClient, describeDecline } from '../../client/src/index.ts';
import { type RunningGateway, startGateway } from '../../gateway/src/index.ts';
import { requestExamples } from '../../generated/examples.ts';
import { skillText } from '../../scripts/reference/skill.ts';
import { ROOT } from '../../scripts/tools/process.ts';
import { RECIPES } from '../client/mount-recipes.ts';
import { afterTheFile } from '../gateway/harness/afterwards.ts';
import { Reader } from './tools/reader.ts';

const STEP_MS = 60_000;
const [guide = ''] = skillText().split(/^## /m);
const [, ...steps] = guide.split(/^\d+\. /m);
const PAYMENT = requestExamples.createPayment['h2h-upi'].body;
const PAYOUT = requestExamples.createPayout['imps-inr'].body;

/** Numbers of the steps that a test has carried out. */
const carriedOut: number[] = [];
let gateway: RunningGateway;
let reader: Reader;
let agent: Awaited<ReturnType<typeof writeAgent>>;

beforeAll(async () => {
  gateway = await startGateway();
  afterTheFile(() => gateway.close());
  const env = { BASE_URL: gateway.url, API_KEY: gateway.key, WEBHOOK_SECRET: gateway.secret };
  reader = new Reader(ROOT, { env, node: 'tests' });
  agent = await writeAgent();
});

/** The program of steps 2 to 9: a client, orders in a database, and a webhook endpoint that can be down. */
async function writeAgent() {
  const statuses = new Map<string, string[]>();
  const refused: string[] = [];
  const endpoint = { isUp: true, events: 0 };
  const orders = new Orders(new DatabaseSync(':memory:'), ({ data }) => {
    statuses.set(data.merchant_order_id, [...(statuses.get(data.merchant_order_id) ?? []), data.status]);
  });
  const address = await RECIPES['fastify']?.({
    secret: gateway.secret,
    log: (line) => refused.push(line),
    apply(event) {
      if (!endpoint.isUp) throw new Error('The endpoint is down.');
      endpoint.events++;
      if (statuses.has(event.data.merchant_order_id)) orders.apply(event);
    },
  });
  const url = `${address}/webhooks/payments`;
  const client = createPaymentsClient({ baseUrl: gateway.url, apiKey: gateway.key, retry: { pauseMs: 1 } });
  return {
    ...{ client, orders, statuses, refused, endpoint, url },
    async pay(order: Partial<CreatePaymentRequest>) {
      const body = { ...PAYMENT, callback_url: url, ...order } as CreatePaymentRequest;
      if (!statuses.has(body.merchant_order_id)) {
        orders.add('payment', body);
        statuses.set(body.merchant_order_id, []);
      }
      const { data, error } = await client.POST('/payments', { body });
      if (error) throw new Error(error.detail);
      orders.apply({ data });
      return data;
    },
    reaches: (order: string, status: string) =>
      vi.waitFor(() => expect(statuses.get(order)?.at(-1)).toBe(status), { timeout: STEP_MS / 2 }),
    reconcile: () =>
      reconcile({ client, open: orders.open(), apply: (state) => orders.apply(state), missing: () => {} }),
  };
}

/** Declares a step. Its test gets the commands of the step's check, or else of the step, and runs them as printed. */
function step(number: number, title: string, carryOut: (commands: string[]) => Promise<void>): void {
  it(`step ${number}: ${title}`, { timeout: STEP_MS }, async () => {
    const text = steps[number - 1] ?? '';
    expect(text).toMatch(new RegExp(`^\\*\\*${title}`));
    const [instruction = '', check = ''] = text.split('Check: ');
    const [commands = []] = [readCommands(check), readCommands(instruction)].filter(({ length }) => length > 0);
    await carryOut(commands);
    carriedOut.push(number);
  });
}

function readCommands(text: string): string[] {
  const code = [...text.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted);
  return code.filter((one) => /^(curl|npm|npx) /.test(one)).map((one) => one.replace(/\bURL\b/, agent.url));
}

step(1, 'Start a sandbox', async ([read = '']) => {
  expect(JSON.parse((await reader.run(read)).out)).toMatchObject({ balances: expect.any(Array) });
});

step(2, 'Choose how to call the API', async () => {
  expect((await agent.client.GET('/merchant/balance')).data?.balances.length).toBeGreaterThan(0);
});

step(3, 'Model an order', async () => {
  agent.orders.add('payment', { ...PAYMENT, merchant_order_id: 'cart-3' });
  agent.statuses.set('cart-3', []);
  expect(agent.orders.open()).toEqual([{ kind: 'payment', merchant_order_id: 'cart-3' }]);
});

step(4, 'Create a payment', async () => {
  const created = await agent.pay({ merchant_order_id: 'cart-3' });
  expect(await agent.pay({ merchant_order_id: 'cart-3' })).toMatchObject({ transaction_id: created.transaction_id });
});

step(5, 'Make creation safe to repeat', async ([fail = '']) => {
  const { data: before } = await gateway.payments.list();
  for (const fault of ['unavailable', 'internal_error', 'dropped_after']) {
    await reader.run(fail.replace('unavailable', fault));
    await agent.pay({ merchant_order_id: `cart-5-${fault}` });
    expect((await gateway.chaos.list()).data).toEqual([]);
  }
  expect((await gateway.payments.list()).data.length - before.length).toBe(3);
});

step(6, 'Lead the customer', async () => {
  const customer = { id: 'customer-1', name: 'Asha Rao', phone: '+919812345671', email: 'asha@example.com' };
  const { transaction_id } = await agent.pay({ merchant_order_id: 'cart-6', customer });
  await agent.reaches('cart-6', 'PAY_CONFIRMATION_NEEDED');
  await agent.client.POST('/payments/{transaction_id}/confirm', {
    params: { path: { transaction_id } },
    body: { confirm_data: { tid: '612345678901', amount: String(PAYMENT.amount) } },
  });
  await agent.reaches('cart-6', 'SUCCESS');
});

step(7, 'Receive webhooks', async ([trigger = '']) => {
  const before = agent.endpoint.events;
  await reader.run(trigger);
  await vi.waitFor(() => expect(agent.endpoint.events).toBeGreaterThan(before), { timeout: STEP_MS / 2 });
  expect(agent.refused).toEqual([]);
});

step(8, 'Prove the endpoint', async ([prove = '']) => {
  expect((await reader.run(prove)).out).toContain('conforms');
  expect(agent.refused.length).toBeGreaterThan(0);
});

step(9, 'Apply statuses in one place', async () => {
  const { transaction_id } = await agent.pay({ merchant_order_id: 'cart-9', customer: { id: 'manual' } });
  await gateway.payments.askForConfirmation(transaction_id);
  await agent.reaches('cart-9', 'PAY_CONFIRMATION_NEEDED');
  const { data: old } = await agent.client.GET('/payments/{transaction_id}', { params: { path: { transaction_id } } });
  await gateway.payments.pay(transaction_id);
  await gateway.payments.succeed(transaction_id);
  await agent.reaches('cart-9', 'SUCCESS');
  if (old) agent.orders.apply({ data: old });
  await agent.reaches('cart-9', 'SUCCESS');
});

step(10, 'Handle declines', async () => {
  await agent.pay({ merchant_order_id: 'cart-10', customer: { id: 'decline-LIMIT_EXCEEDED' } });
  await agent.reaches('cart-10', 'FAILED');
  const { data } = await agent.client.GET('/payments', { params: { query: { merchant_order_id: 'cart-10' } } });
  expect(data).toMatchObject({ status: 'FAILED', decline_reason: 'LIMIT_EXCEEDED' });
  expect(describeDecline('payment', 'LIMIT_EXCEEDED').suggested_action).toMatch(/\w/);
});

step(11, 'Pay out, and reconcile', async () => {
  await gateway.wallets.fund('INR', PAYOUT.amount * 2);
  agent.endpoint.isUp = false;
  const { transaction_id } = await agent.pay({ merchant_order_id: 'cart-11', customer: { id: 'manual' } });
  agent.statuses.set('refund-11', []);
  const request = { ...PAYOUT, customer: { ...PAYOUT.customer, id: 'manual' }, callback_url: agent.url };
  const paidOut = await payOut(agent.client, agent.orders, { ...request, merchant_order_id: 'refund-11' });
  if (paidOut.outcome !== 'accepted') throw new Error(`The payout is ${paidOut.outcome}.`);
  await gateway.payouts.succeed(paidOut.data.transaction_id);
  await gateway.payments.askForConfirmation(transaction_id);
  await gateway.payments.pay(transaction_id);
  await gateway.payments.succeed(transaction_id);
  expect(await agent.reconcile()).toEqual([]);
  expect([agent.statuses.get('cart-11')?.at(-1), agent.statuses.get('refund-11')?.at(-1)]).toEqual([
    'SUCCESS',
    'SUCCESS',
  ]);
});

step(12, 'Get ready for live', async () => {
  expect(carriedOut).toEqual(steps.slice(0, -1).map((_, index) => index + 1));
});
