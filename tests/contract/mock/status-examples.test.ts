import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startText } from '../../../contract/src/mock/guide.ts';
import { type Mock, startMock } from '../../../contract/src/mock/server.ts';
import { statusExamples } from '../../../contract/src/mock/status-examples.ts';
import { type Json, type JsonObject, operations, readBundle, successes } from '../../../contract/src/model.ts';
import { compile } from '../../../contract/src/schemas.ts';
import { senderForm } from '../../../contract/src/sender.ts';
import { paymentDeclineReasons, payoutDeclineReasons } from '../../../generated/decline-reasons.ts';

const bundle = readBundle();
const known = operations(bundle);
const strict = compile(senderForm(bundle));
const authorization = 'Bearer sk_test_any';
let mock: Mock;

beforeAll(async () => {
  mock = await startMock({ port: 0 });
});
afterAll(() => mock.close());

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
  const response = await fetch(mock.url + path, { headers: { authorization, ...(prefer && { prefer }) } });
  expect(response.status).toBe(200);
  return (await response.json()) as JsonObject;
}

describe.each(READERS)('the mock of %s', (id, kind, reasons, others, prefix, pathOf, otherPath) => {
  const otherIds = otherPath.includes('order')
    ? { merchant_order_id: 'order-1' }
    : { transaction_id: otherPath.split('/').at(-1) };
  const operation = known.find((one) => one.id === id);
  const schema = operation && successes(operation)[0]?.body?.schema;
  const examples = operation ? statusExamples(bundle, known, operation) : [];
  const machine = bundle['x-state-machines'][kind];

  test.each(Object.keys(machine?.states ?? {}))('has %s by example and by id', async (status) => {
    const body = await read(pathOf(`${prefix}_${status}`));
    expect(body).toMatchObject({ transaction_id: `${prefix}_${status}`, status });
    expect(strict(schema ?? {})(body as Json)).toEqual([]);
    expect(await read(otherPath, `example=${status}`)).toEqual({ ...body, ...otherIds });
  });

  test.each([...Object.keys(reasons), ...others])('has the decline reason %s by example and by id', async (reason) => {
    const body = await read(pathOf(`${prefix}_declined_${reason}`));
    expect(body).toMatchObject({ status: 'FAILED', decline_reason: reason });
    expect(body['transaction_id']).toBe(`${prefix}_declined_${reason}`);
    expect(strict(schema ?? {})(body as Json)).toEqual([]);
    expect(await read(otherPath, `example=declined-${reason}`)).toEqual({ ...body, ...otherIds });
  });

  test.each(['declined_TYPO', 'verifying', 'Declined_BANK_REJECTED', '_'])(
    'responds to an unknown id, …_%s, with 404 and the valid ids',
    async (typo) => {
      const path = pathOf(`${prefix}_${typo}`);
      const response = await fetch(mock.url + path, { headers: { authorization } });
      const body = (await response.json()) as JsonObject;
      expect([response.status, body['status'], String(body['type']).split('/').at(-1)]).toEqual([
        404,
        404,
        'not-found',
      ]);
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

  test('follows Prefer rather than the id', async () => {
    expect(await read('/payments/pay_VERIFYING', 'example=SUCCESS')).toMatchObject({ status: 'SUCCESS' });
  });
});
