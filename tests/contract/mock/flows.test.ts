/** Flows of a frontend team on the mock. Each response conforms to the contract and reflects its request. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startText } from '../../../contract/src/mock/guide.ts';
import { createRoutes, findRoute } from '../../../contract/src/mock/routes.ts';
import { type Mock, startMock } from '../../../contract/src/mock/server.ts';
import { statusExamples } from '../../../contract/src/mock/status-examples.ts';
import {
  type Json,
  type JsonObject,
  type Operation,
  operations,
  readBundle,
  requestExamples,
  successes,
} from '../../../contract/src/model.ts';
import { compile } from '../../../contract/src/schemas.ts';
import { senderForm } from '../../../contract/src/sender.ts';
import { RESERVED, SCENARIOS } from '../../../gateway/src/channels/scenarios.ts';
import { paymentDeclineReasons, payoutDeclineReasons } from '../../../generated/decline-reasons.ts';
import { requestExamples as named } from '../../../generated/examples.ts';

const NOW = Date.parse('2027-02-03T04:05:06Z');
const DAY_MS = 24 * 60 * 60 * 1000;
const bundle = readBundle();
const known = operations(bundle);
const routes = createRoutes(known);
const strict = compile(senderForm(bundle));
let mock: Mock;

beforeAll(async () => {
  mock = await startMock({ port: 0, now: () => NOW });
});
afterAll(() => mock.close());

/** Sends the request, and validates the response against the schema of its status. */
async function send(line: string, body?: object, prefer?: string): Promise<{ status: number; body: JsonObject }> {
  const [method = '', target = ''] = line.split(' ');
  const response = await fetch(mock.url + target, {
    method,
    headers: { authorization: 'Bearer sk', 'content-type': 'application/json', ...(prefer && { prefer }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { operation } = findRoute(routes, method, target.split('?')[0] ?? '')?.route ?? {};
  const schema = operation?.responses.find(({ status }) => status === String(response.status))?.body?.schema;
  const received = (await response.json()) as JsonObject;
  expect(strict(schema ?? { const: 'documented' })(received)).toEqual([]);
  return { status: response.status, body: received };
}

const own = { amount: 123, currency: 'MAD', merchant_order_id: 'cart-7' } as const;
const upi = { ...named.createPayment['h2h-upi'].body, ...own };
const redirect = { ...named.createPayment['redirect-egp'].body, ...own, payment_method_type: 'WALLET_MA' };
const bank = { ...named.createPayout['imps-inr'].body, ...own };
const by = <T extends object>(body: T, id: string) => ({ ...body, customer: { id } });
const confirmation = { confirm_data: { tid: '1' } };
const refusal = { detail: expect.stringMatching(/^The payment is SUCCESS\./) };

describe('a flow on the mock', () => {
  test.each<[line: string, body: object | undefined, prefer: string, status: number, expected: JsonObject]>([
    ['POST /payments', upi, '', 200, { ...own, status: 'CREATED', payment_method_type: 'UPI_IN' }],
    ['POST /payments', redirect, '', 200, { ...own, status: 'CREATED', payment_method_type: 'WALLET_MA' }],
    ['POST /payments', upi, 'example=EXTRA_DATA_NEEDED', 200, { ...own, status: 'EXTRA_DATA_NEEDED' }],
    ['POST /payments', upi, 'example=h2h-upi-confirm', 200, { ...own, pay_data: { available_amounts: [123] } }],
    ['POST /payments', by(upi, 'decline-late-KYC_BLOCKED'), '', 200, { status: 'CREATED' }],
    ['POST /payments', by(upi, 'decline-TYPO'), '', 400, { violations: [{ pointer: '/customer/id' }] }],
    ['POST /payouts', bank, '', 201, { ...own, status: 'PROCESSING' }],
    ['POST /payouts', bank, 'example=declined-FRAUD_SUSPECTED', 201, { decline_reason: 'FRAUD_SUSPECTED' }],
    ['GET /payments/pay_77', undefined, 'example=VERIFYING', 200, { transaction_id: 'pay_77', status: 'VERIFYING' }],
    ['GET /payments/pay_01KJPXHTG03HJFMXR0ZMNTAH3W', undefined, '', 200, { status: 'FAILED' }],
    ['GET /payments?merchant_order_id=order_OWN', undefined, '', 200, { merchant_order_id: 'order_OWN' }],
    ['POST /payments/pay_77/confirm', confirmation, '', 200, { transaction_id: 'pay_77', status: 'VERIFYING' }],
    ['POST /payments/pay_SUCCESS/confirm', confirmation, '', 409, refusal],
    ['POST /payments/pay_SUCCESS/confirm', confirmation, 'example=tid', 200, { transaction_id: 'pay_SUCCESS' }],
    ['POST /payments/pay_TYPO/confirm', confirmation, '', 404, {}],
  ])('%s %j %s returns %i', async (line, body, prefer, status, expected) => {
    expect(await send(line, body, prefer)).toMatchObject({ status, body: expected });
  });

  test('has a redirect_url if and only if the request has a return_url', async () => {
    expect((await send('POST /payments', redirect)).body['redirect_url']).toMatch(/^https:/);
    expect((await send('POST /payments', upi)).body).not.toHaveProperty('redirect_url');
  });

  test.each([
    ['payment', 'POST /payments', upi, 'createPayment'],
    ['payout', 'POST /payouts', bank, 'createPayout'],
  ] as const)("accepts the sandbox's test customers of a %s, and no others", async (kind, line, body, id) => {
    // To the mock, the customers of the document's examples are ordinary ones.
    const customers = SCENARIOS.filter(
      (row) => row.kind === kind && row.field === 'customer.id' && !row.value.startsWith('customer-'),
    );
    for (const { value, flow } of customers) {
      expect(await send(line, by(body, value)), value).toMatchObject({ status: kind === 'payment' ? 200 : 201 });
      if (kind === 'payment')
        expect(await send(line, by(redirect, value)), value).toMatchObject({ status: flow ? 400 : 200 });
    }
    const listed = startText(bundle, '').split('Customers (')[1] ?? '';
    const [names = ''] = listed.split(`  ${id}: `)[1]?.split('\n') ?? [];
    expect(customers.map(({ value }) => value)).toEqual(expect.arrayContaining(names.split(', ')));
    const message = expect.stringMatching(/; did you mean \S+\?$/);
    for (const prefix of RESERVED['customer.id'])
      expect((await send(line, by(body, `${prefix}typo`))).body).toMatchObject({ violations: [{ message }] });
  });
});

describe('Prefer: dynamic=true', () => {
  const calls = known.map((operation) => {
    const [{ path = {}, query = {}, body } = {}] = requestExamples(operation);
    const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
    const line = `${operation.method.toUpperCase()} ${filled}?${new URLSearchParams(query)}`;
    return { id: operation.id, line, body: body as object | undefined };
  });
  const stringsIn = (value: Json): string[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [String(value)];

  test.each(calls)('varies the responses of $id, with times near now', async ({ line, body }) => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 25; seed++) {
      const { body: received } = await send(line, body, `dynamic=true, seed=${seed}`);
      seen.add(JSON.stringify(received));
      const times = stringsIn(received).filter((text) => /^\d{4}-\d\d-\d\dT/.test(text));
      for (const time of times) expect(Math.abs(NOW - Date.parse(time))).toBeLessThan(2 * DAY_MS);
      expect(Math.max(...times.map((time) => Date.parse(time)))).toBeLessThanOrEqual(NOW);
    }
    expect(seen.size).toBeGreaterThan(10);
  });

  test("has IDs in the service's format, consistent amounts, and known items", async () => {
    for (let seed = 0; seed < 40; seed++) {
      const { body } = await send('GET /payments?merchant_order_id=cart-7', undefined, `dynamic=true, seed=${seed}`);
      expect(body['transaction_id']).toMatch(/^pay_[0-9A-HJKMNP-TV-Z]{26}$/);
      if ('clarify' in body)
        expect(['name', 'phone', 'account_number', 'email']).toEqual(expect.arrayContaining(body['clarify'] as Json[]));
      if (body['status'] === 'SUCCESS') expect(body['amount_paid']).toBe(body['amount']);
    }
  });

  test("echoes the request's values, and repeats the response to a seed", async () => {
    const [first, second] = [1, 2].map(() => send('POST /payments', redirect, 'dynamic=true, seed=7'));
    expect(await first).toEqual(await second);
    expect((await first)?.body).toMatchObject({ ...own, payment_method_type: 'WALLET_MA' });
    const { body } = await send('GET /payments/pay_VERIFYING', undefined, 'dynamic=true');
    expect(body).toMatchObject({ transaction_id: 'pay_VERIFYING', status: 'VERIFYING' });
  });
});

/** Reasons of each kind, with those outside the tables that the contract names. */
const REASONS = {
  payment: [...Object.keys(paymentDeclineReasons), 'INSUFFICIENT_FUNDS', 'CANCELLED_BY_CUSTOMER'],
  payout: [...Object.keys(payoutDeclineReasons), 'INVALID_ACCOUNT_NUMBER'],
};

/** The read operations, with the request for an ID, and a request that leaves the response open. */
const READERS = [
  ['getPayment', 'payment', 'pay', 'GET /payments/', 'GET /payments/pay_1', { transaction_id: 'pay_1' }],
  [
    'findPayment',
    'payment',
    'pay',
    'GET /payments?transaction_id=',
    'GET /payments?merchant_order_id=order-1',
    { merchant_order_id: 'order-1' },
  ],
  ['getPayout', 'payout', 'out', 'GET /payouts/', 'GET /payouts/out_1', { transaction_id: 'out_1' }],
] as const;

describe.each(READERS)('the mock of %s', (id, kind, prefix, byId, open, openIds) => {
  const operation = known.find((one) => one.id === id) as Operation;
  const ids = statusExamples(bundle, known, operation).map(({ value }) => value['transaction_id']);
  const statuses = Object.keys(bundle['x-state-machines'][kind]?.states ?? {});

  test.each([
    ...statuses.map((status) => [status, { status }] as const),
    ...REASONS[kind].map((reason) => [`declined_${reason}`, { status: 'FAILED', decline_reason: reason }] as const),
  ])('has %s by ID and by example', async (name, expected) => {
    const transaction_id = `${prefix}_${name}`;
    const { body } = await send(byId + transaction_id);
    expect(body).toMatchObject({ transaction_id, ...expected });
    const byExample = await send(open, undefined, `example=${name.replace('declined_', 'declined-')}`);
    expect(byExample.body).toEqual({ ...body, ...openIds });
  });

  test.each(['declined_TYPO', 'verifying'])('responds to the ID …_%s with 404 and the valid IDs', async (typo) => {
    const { status, body } = await send(`${byId}${prefix}_${typo}`);
    const detail = `${prefix}_${typo} selects no response of the mock. Use one of ${ids.join(', ')}.`;
    expect({ status, body }).toMatchObject({ status: 404, body: { detail } });
  });

  test('responds to the ID of a program with its first example', async () => {
    const [first] = successes(operation)[0]?.body?.examples ?? [];
    const { body } = await send(`${byId}${prefix}_4f9c`);
    expect(body).toEqual({ ...(first?.value as JsonObject), transaction_id: `${prefix}_4f9c` });
  });
});
