/** The checks of the guide for coding agents, with its commands as printed, and the client and a recipe as the agent's code. */
import { beforeAll, expect, it, vi } from 'vitest';
import { createPaymentsClient } from '../../client/src/index.ts';
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

let gateway: RunningGateway;
let reader: Reader;
let client: ReturnType<typeof createPaymentsClient>;
/** The agent's webhook endpoint, with the statuses of each order. */
let endpoint: string;
const received = new Map<string, string[]>();
const refused: string[] = [];

beforeAll(async () => {
  gateway = await startGateway();
  afterTheFile(() => gateway.close());
  const { url: baseUrl, key: apiKey, secret } = gateway;
  reader = new Reader(ROOT, { env: { BASE_URL: baseUrl, API_KEY: apiKey, WEBHOOK_SECRET: secret }, node: 'tests' });
  client = createPaymentsClient({ baseUrl, apiKey, retry: { pauseMs: 1 } });
  const address = await RECIPES['fastify']?.({
    secret,
    log: (line) => refused.push(line),
    apply: ({ data: { merchant_order_id: order, status } }) => {
      received.set(order, [...(received.get(order) ?? []), status]);
    },
  });
  endpoint = `${address}/webhooks/payments`;
});

/** The commands of a step's check, or else of the step. */
function commandsOf(number: number, title: string): string[] {
  const text = steps[number - 1] ?? '';
  expect(text).toMatch(new RegExp(`^\\*\\*${title}`));
  const [instruction = '', check = ''] = text.split('Check: ');
  const [commands = []] = [check, instruction].map(readCommands).filter(({ length }) => length > 0);
  return commands;
}

function readCommands(text: string): string[] {
  const code = [...text.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted);
  return code.filter((one) => /^(curl|npm|npx) /.test(one)).map((one) => one.replace(/\bURL\b/, endpoint));
}

async function pay(order: string, customer: object = PAYMENT.customer): Promise<string> {
  const body = { ...PAYMENT, callback_url: endpoint, merchant_order_id: order, customer } as typeof PAYMENT;
  const { data, error } = await client.POST('/payments', { body });
  if (error) throw new Error(error.detail);
  return data.transaction_id;
}

function reaches(order: string, status: string): Promise<void> {
  return vi.waitFor(() => expect(received.get(order)?.at(-1)).toBe(status), { timeout: STEP_MS / 2 });
}

it('reads the balance of a sandbox', { timeout: STEP_MS }, async () => {
  const [read = ''] = commandsOf(1, 'Start a sandbox');
  expect(JSON.parse((await reader.run(read)).out)).toMatchObject({ balances: expect.any(Array) });
});

it('creates one payment for each order, despite failures', { timeout: STEP_MS }, async () => {
  commandsOf(4, 'Create a payment');
  expect(await pay('cart-4')).toBe(await pay('cart-4'));
  const [fail = ''] = commandsOf(5, 'Make creation safe to repeat');
  const { data: before } = await gateway.payments.list();
  for (const fault of ['unavailable', 'internal_error', 'dropped_after']) {
    await reader.run(fail.replace('unavailable', fault));
    await pay(`cart-5-${fault}`);
    expect((await gateway.chaos.list()).data).toEqual([]);
  }
  expect((await gateway.payments.list()).data.length - before.length).toBe(3);
});

it('leads a customer to the end of a payment', { timeout: STEP_MS }, async () => {
  commandsOf(6, 'Lead the customer');
  const customer = { id: 'customer-1', name: 'Asha Rao', phone: '+919812345671', email: 'asha@example.com' };
  const transaction_id = await pay('cart-6', customer);
  await reaches('cart-6', 'PAY_CONFIRMATION_NEEDED');
  await client.POST('/payments/{transaction_id}/confirm', {
    params: { path: { transaction_id } },
    body: { confirm_data: { tid: '612345678901', amount: String(PAYMENT.amount) } },
  });
  await reaches('cart-6', 'SUCCESS');
});

it('receives webhooks, and proves the endpoint', { timeout: STEP_MS }, async () => {
  const [trigger = ''] = commandsOf(7, 'Receive webhooks');
  const before = received.size;
  await reader.run(trigger);
  await vi.waitFor(() => expect(received.size).toBeGreaterThan(before), { timeout: STEP_MS / 2 });
  expect(refused).toEqual([]);
  const [prove = ''] = commandsOf(8, 'Prove the endpoint');
  expect((await reader.run(prove)).out).toContain('conforms');
  expect(refused).not.toEqual([]);
});

it('handles declines', { timeout: STEP_MS }, async () => {
  commandsOf(10, 'Handle declines');
  await pay('cart-10', { id: 'decline-LIMIT_EXCEEDED' });
  await reaches('cart-10', 'FAILED');
  const { data } = await client.GET('/payments', { params: { query: { merchant_order_id: 'cart-10' } } });
  expect(data).toMatchObject({ status: 'FAILED', decline_reason: 'LIMIT_EXCEEDED' });
});

it('has no other step with a command', () => {
  const withCommands = steps.flatMap((text, index) => (readCommands(text).length > 0 ? [index + 1] : []));
  // Steps 2 and 12 install packages, as the integrator's journey does.
  expect(withCommands).toEqual([1, 2, 5, 7, 8, 12]);
});
