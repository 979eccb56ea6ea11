/** Flows of a frontend team on the mock. Each response conforms to the contract and reflects its request. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startText } from '../../../contract/src/mock/guide.ts';
import { createRoutes, findRoute } from '../../../contract/src/mock/routes.ts';
import { type Mock, startMock } from '../../../contract/src/mock/server.ts';
import { statusExamples } from '../../../contract/src/mock/status-examples.ts';
import {
  type Json,
  type JsonObject,
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
const routes = createRoutes(operations(bundle));
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

const { body: upi } = named.createPayment['h2h-upi'];
const { body: wallet } = named.createPayment['redirect-egp'];
const { body: bank } = named.createPayout['imps-inr'];
const own = { amount: 123, currency: 'MAD', merchant_order_id: 'cart-7' } as const;
const redirect = { ...wallet, ...own, payment_method_type: 'WALLET_MA' };
const by = <T extends { customer: object }>(body: T, id: string) => ({ ...body, ...own, customer: { id } });
const confirmation = { confirm_data: { tid: '1' } };
const startsWith = (text: string): Json => expect.stringMatching(new RegExp(`^${text}`));
const data = { clarify_data: { name: 'A' } };

describe('a flow on the mock', () => {
  test.each<[line: string, body: object | undefined, prefer: string | undefined, status: number, JsonObject]>([
    [
      'POST /payments',
      { ...upi, ...own },
      undefined,
      200,
      { ...own, status: 'CREATED', payment_method_type: 'UPI_IN' },
    ],
    ['POST /payments', redirect, undefined, 200, { ...own, payment_method_type: 'WALLET_MA', status: 'CREATED' }],
    ['POST /payments', { ...upi, ...own }, 'example=EXTRA_DATA_NEEDED', 200, { ...own, status: 'EXTRA_DATA_NEEDED' }],
    [
      'POST /payments',
      { ...upi, ...own, payment_method_type: 'X' },
      'example=h2h-upi-confirm',
      200,
      { ...own, payment_method_type: 'X', payment_method: 'X', pay_data: { available_amounts: [123] } },
    ],
    [
      'POST /payments',
      { ...upi, ...own },
      'example=FAILED',
      200,
      { ...own, status: 'FAILED', payment_method: 'UPI_IN' },
    ],
    [
      'POST /payments',
      by(upi, 'decline-LIMIT_EXCEEDED'),
      undefined,
      200,
      { ...own, decline_reason: 'LIMIT_EXCEEDED', transaction_id: 'pay_declined_LIMIT_EXCEEDED' },
    ],
    ['POST /payments', by(upi, 'decline-CANCELLED_BY_CUSTOMER'), undefined, 200, { status: 'FAILED' }],
    ['POST /payments', by(upi, 'decline-late-KYC_BLOCKED'), undefined, 200, { status: 'CREATED' }],
    ['POST /payments', by(upi, 'open-PAY_CONFIRMATION_NEEDED'), undefined, 200, { status: 'PAY_CONFIRMATION_NEEDED' }],
    ['POST /payments', by(upi, 'decline-TYPO'), undefined, 400, { violations: [{ pointer: '/customer/id' }] }],
    ['POST /payments', by(upi, 'decline-TYPO'), 'code=409', 409, {}],
    ['POST /payouts', { ...bank, ...own }, undefined, 201, { ...own, status: 'PROCESSING' }],
    ['POST /payouts', by(bank, 'decline-INVALID_ACCOUNT_NUMBER'), undefined, 201, { ...own, status: 'FAILED' }],
    ['POST /payouts', bank, 'example=declined-FRAUD_SUSPECTED', 201, { decline_reason: 'FRAUD_SUSPECTED' }],
    ['GET /payments/pay_77', undefined, 'example=VERIFYING', 200, { transaction_id: 'pay_77', status: 'VERIFYING' }],
    ['GET /payments?merchant_order_id=cart-7', undefined, undefined, 200, { merchant_order_id: 'cart-7' }],
    ['GET /payouts/out_77', undefined, undefined, 200, { transaction_id: 'out_77' }],
    ['POST /payments/pay_77/confirm', confirmation, undefined, 200, { transaction_id: 'pay_77', status: 'VERIFYING' }],
    [
      'POST /payments/pay_PAY_CONFIRMATION_NEEDED/confirm',
      confirmation,
      undefined,
      200,
      { transaction_id: 'pay_PAY_CONFIRMATION_NEEDED', merchant_order_id: 'order-1001' },
    ],
    [
      'POST /payments/pay_SUCCESS/confirm',
      confirmation,
      undefined,
      409,
      { detail: startsWith('The payment is SUCCESS.') },
    ],
    ['POST /payments/pay_SUCCESS/confirm', confirmation, 'example=tid', 200, { transaction_id: 'pay_SUCCESS' }],
    [
      'POST /payments/pay_declined_KYC_BLOCKED/clarify',
      data,
      undefined,
      409,
      { detail: startsWith('The payment is FAILED.') },
    ],
    ['POST /payments/pay_EXTRA_DATA_NEEDED/clarify', data, undefined, 200, { transaction_id: 'pay_EXTRA_DATA_NEEDED' }],
    ['POST /payments/pay_TYPO/confirm', confirmation, undefined, 404, {}],
  ])('%s %j %s returns %i', async (line, body, prefer, status, expected) => {
    const response = await send(line, body, prefer);
    expect(response).toMatchObject({ status, body: expected });
  });

  test('has a redirect_url if and only if the request has a return_url', async () => {
    expect((await send('POST /payments', redirect)).body['redirect_url']).toMatch(/^https:/);
    expect((await send('POST /payments', { ...upi, ...own })).body).not.toHaveProperty('redirect_url');
  });

  test.each([
    ['payment', 'POST /payments', upi],
    ['payout', 'POST /payouts', bank],
  ] as const)(
    "accepts the sandbox's test customers of a %s, and no others with their prefixes",
    async (kind, line, body) => {
      // To the mock, the customers of the document's examples are ordinary ones.
      const customers = SCENARIOS.filter(
        (row) => row.kind === kind && row.field === 'customer.id' && !row.value.startsWith('customer-'),
      );
      for (const { value, flow } of customers) {
        expect(await send(line, by(body, value)), value).toMatchObject({ status: kind === 'payment' ? 200 : 201 });
        if (kind === 'payment' && !flow)
          expect(await send(line, by(redirect, value)), value).toMatchObject({ status: 200 });
        if (flow) expect(await send(line, by(redirect, value)), value).toMatchObject({ status: 400 });
      }
      const known = customers.map(({ value }) => value);
      const listed = startText(bundle, '').split('Customers (')[1] ?? '';
      const [names = ''] = listed.split(`  create${kind === 'payment' ? 'Payment' : 'Payout'}: `)[1]?.split('\n') ?? [];
      expect(names.split(', ').filter((name) => !known.includes(name))).toEqual([]);
      for (const prefix of RESERVED['customer.id'])
        expect(await send(line, by(body, `${prefix}typo`))).toMatchObject({
          status: 400,
          body: { violations: [{ pointer: '/customer/id', message: expect.stringMatching(/; did you mean \S+\?$/) }] },
        });
    },
  );

  test('reads a declined creation by its id', async () => {
    const { body } = await send('POST /payments', by(upi, 'decline-INSUFFICIENT_FUNDS'));
    const read = await send(`GET /payments/${body['transaction_id']}`);
    expect(read.body).toMatchObject({ status: 'FAILED', decline_reason: 'INSUFFICIENT_FUNDS' });
  });
});

describe('Prefer: dynamic=true', () => {
  const calls = operations(bundle).map((operation) => {
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

  test("echoes the request's values", async () => {
    const { body } = await send('POST /payments', redirect, 'dynamic=true');
    expect(body).toMatchObject({
      ...own,
      payment_method_type: 'WALLET_MA',
      redirect_url: expect.stringMatching(/^https:/),
    });
    expect((await send('GET /payments/pay_VERIFYING', undefined, 'dynamic=true')).body).toMatchObject({
      transaction_id: 'pay_VERIFYING',
      status: 'VERIFYING',
    });
  });

  test('returns the same response for the same seed', async () => {
    const twice = [1, 2].map(() => send('GET /merchant/balance', undefined, 'dynamic=true, seed=7'));
    const [first, second] = await Promise.all(twice);
    expect(first).toEqual(second);
  });

  test.each(['-1', '1.5', '1e9', ''])('refuses seed=%s', async (seed) => {
    const { status, body } = await send('GET /merchant/balance', undefined, `dynamic=true, seed=${seed}`);
    expect([status, body['detail']]).toEqual([400, 'Send `Prefer: dynamic=true, seed=7`.']);
  });
});

/** Reasons outside the tables, named by the contract. */
const PAYMENT_OTHERS = ['INSUFFICIENT_FUNDS', 'CANCELLED_BY_CUSTOMER'] as const;
const PAYOUT_OTHERS = ['INVALID_ACCOUNT_NUMBER'] as const;

/** The read operations, with the statuses and reasons of their kind, and the place of an id. */
const READERS = [
  [
    'getPayment',
    'payment',
    paymentDeclineReasons,
    PAYMENT_OTHERS,
    'pay',
    (id: string) => `/payments/${id}`,
    '/payments/pay_1',
  ],
  [
    'findPayment',
    'payment',
    paymentDeclineReasons,
    PAYMENT_OTHERS,
    'pay',
    (id: string) => `/payments?transaction_id=${id}`,
    '/payments?merchant_order_id=order-1',
  ],
  [
    'getPayout',
    'payout',
    payoutDeclineReasons,
    PAYOUT_OTHERS,
    'out',
    (id: string) => `/payouts/${id}`,
    '/payouts/out_1',
  ],
] as const;

async function read(path: string, prefer?: string): Promise<JsonObject> {
  const response = await send(`GET ${path}`, undefined, prefer);
  expect(response.status).toBe(200);
  return response.body;
}

describe.each(READERS)('the mock of %s', (id, kind, reasons, others, prefix, pathOf, otherPath) => {
  const otherIds = otherPath.includes('order')
    ? { merchant_order_id: 'order-1' }
    : { transaction_id: otherPath.split('/').at(-1) };
  const operation = operations(bundle).find((one) => one.id === id);
  const examples = operation ? statusExamples(bundle, operations(bundle), operation) : [];
  const machine = bundle['x-state-machines'][kind];

  test.each(Object.keys(machine?.states ?? {}))('has %s by example and by id', async (status) => {
    const body = await read(pathOf(`${prefix}_${status}`));
    expect(body).toMatchObject({ transaction_id: `${prefix}_${status}`, status });
    expect(await read(otherPath, `example=${status}`)).toEqual({ ...body, ...otherIds });
  });

  test.each([...Object.keys(reasons), ...others])('has the decline reason %s by example and by id', async (reason) => {
    const body = await read(pathOf(`${prefix}_declined_${reason}`));
    expect(body).toMatchObject({ status: 'FAILED', decline_reason: reason });
    expect(body['transaction_id']).toBe(`${prefix}_declined_${reason}`);
    expect(await read(otherPath, `example=declined-${reason}`)).toEqual({ ...body, ...otherIds });
  });

  test.each(['declined_TYPO', 'verifying', 'Declined_BANK_REJECTED', '_'])(
    'responds to an unknown id, …_%s, with 404 and the valid ids',
    async (typo) => {
      const path = pathOf(`${prefix}_${typo}`);
      const { status, body } = await send(`GET ${path}`);
      expect([status, String(body['type']).split('/').at(-1)]).toEqual([404, 'not-found']);
      const ids = examples.map(({ value }) => value['transaction_id']);
      expect(body['detail']).toBe(`${prefix}_${typo} selects no response of the mock. Use one of ${ids.join(', ')}.`);
      expect(await read(path, 'example=SUCCESS')).toMatchObject({ status: 'SUCCESS' });
    },
  );

  test('responds to an id from a program with its first example, under that id', async () => {
    const [first] = (operation && successes(operation)[0]?.body?.examples) ?? [];
    const id = `${prefix}_4f9c`;
    expect(await read(pathOf(id))).toEqual({ ...(first?.value as JsonObject), transaction_id: id });
  });

  test('prints every id at the start', () => {
    const ids = examples.map(({ value }) => value['transaction_id']);
    expect(ids).toHaveLength(Object.keys({ ...machine?.states, ...reasons }).length + others.length);
    expect(startText(bundle, mock.url)).toContain(`  ${id}: ${ids.join(', ')}`);
  });
});

describe('the mock', () => {
  test("selects the document's example with the requested id", async () => {
    expect(await read('/payments/pay_01KJPXHTG03HJFMXR0ZMNTAH3W')).toMatchObject({
      transaction_id: 'pay_01KJPXHTG03HJFMXR0ZMNTAH3W',
      status: 'FAILED',
    });
  });

  test('accepts any reference of the merchant', async () => {
    expect(await read('/payments?merchant_order_id=order_OWN')).toHaveProperty('status');
  });
});
