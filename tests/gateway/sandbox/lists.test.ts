/** Filters and searches of lists. */
import { describe, expect, it } from 'vitest';
import type { Value } from '../../../gateway/src/database/store.ts';
import { listEntries } from '../../../gateway/src/ledger/ledger-pages.ts';
import { DEMO_KEY, insertDemoKey } from '../../../gateway/src/merchants/api-keys.ts';
import { listTransactions, SEARCHED_MAX } from '../../../gateway/src/transactions/merchant-transactions.ts';
import { listEvents } from '../../../gateway/src/webhooks/merchant-events.ts';
import { addNewerPayments } from '../harness/books.ts';
import { addPayment, paymentRequest } from '../harness/fixtures.ts';
import { startTestGateway, type TestGateway, type TestMerchant } from '../harness/gateway.ts';
import { describeOnEachStore, openTestSqlite } from '../harness/stores.ts';

const MINUTE = 60_000;
type Caller = Pick<TestMerchant, 'call'>;

/** Creates payments, a minute apart, and returns their ids, newest first. */
async function createPayments(test: TestGateway, bodies: readonly object[], merchant: Caller = test) {
  const ids: string[] = [];
  for (const body of bodies) {
    const created = await merchant.call('POST', '/payments', body);
    expect(created.status).toBe(200);
    ids.unshift(created.body.transaction_id);
    await test.gateway.idle();
    test.clock.advance(MINUTE);
  }
  return ids;
}

async function list({ call }: Caller, query = '', kind = 'payments') {
  const { status, body } = await call('GET', `/management/${kind}${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return { ids: body.data.map((entry: { transaction_id: string }) => entry.transaction_id), ...body };
}

describe('the list of payments', () => {
  it('finds payments by status, method, order and customer', async () => {
    const test = await startTestGateway({ store: await openTestSqlite(), sandbox: true });
    const order = paymentRequest({ customer: { id: 'a_%!"\\' } });
    const [blocked, ordered] = await createPayments(test, [
      order,
      paymentRequest({ customer: { id: 'decline-KYC_BLOCKED' } }),
    ]);
    expect((await list(test, '?status=FAILED')).ids).toEqual([blocked]);
    expect((await list(test, '?status=SUCCESS')).ids).toEqual([]);
    expect((await list(test, '?method=UPI_IN')).ids).toEqual([blocked, ordered]);
    expect((await list(test, '?method=UPI')).ids).toEqual([]);
    expect((await list(test, `?merchant_order_id=${order.merchant_order_id}`)).ids).toEqual([ordered]);
    expect((await list(test, `?merchant_order_id=${order.merchant_order_id}&status=FAILED`)).ids).toEqual([]);
    expect((await list(test, `?customer_id=${encodeURIComponent('a_%!"\\')}`)).ids).toEqual([ordered]);
    expect((await list(test, '?customer_id=a')).ids).toEqual([]);
  });

  it('continues a search without a match on the searched page', async () => {
    const test = await startTestGateway({ store: await openTestSqlite(), sandbox: true });
    const oldest = await addPayment(test.gateway.store, test.merchant, { status: 'VERIFYING' });
    await addNewerPayments(test.gateway.store, oldest.id, SEARCHED_MAX + 1);
    const empty = await list(test, '?status=VERIFYING');
    expect(empty.ids).toEqual([]);
    expect((await list(test, `?status=VERIFYING&cursor=${empty.next_cursor}`)).ids).toEqual([oldest.id]);
  });
});

it.each([
  ['payments', 'PROCESSING'],
  ['payouts', 'CREATED'],
])('a filter of %s by the impossible status %s is refused', async (kind, status) => {
  const test = await startTestGateway({ sandbox: true });
  expect(await test.call('GET', `/management/${kind}?status=${status}`)).toMatchObject({
    status: 400,
    body: { violations: [{ in: 'query', pointer: '/status', message: expect.stringContaining('SUCCESS, FAILED') }] },
  });
});

it('pages of lists use an index without sorting, even for operators', async () => {
  const store = await openTestSqlite();
  const plan: string[] = [];
  const all = async (sql: string, ...values: Value[]) => {
    for (const { detail } of await store.read.all(`explain query plan ${sql}`, ...values)) plan.push(String(detail));
    return store.read.all(sql, ...values);
  };
  const db = { ...store.read, all, get: async (sql: string, ...values: Value[]) => (await all(sql, ...values))[0] };
  await listTransactions(db, 'payment', { merchantId: 1, status: 'SUCCESS' }, { limit: 50 });
  await listTransactions(db, 'payment', { merchantId: 1 }, { limit: 50 });
  await listEntries(db, 1, 'INR', { limit: 50 });
  await listEvents(db, { merchantId: 1, limit: 50 });
  await listTransactions(db, 'payment', { status: 'SUCCESS' }, { limit: 50 });
  await listEvents(db, { state: 'given_up', range: { from: 'evt_0' }, limit: 50 });
  expect(plan.length).toBeGreaterThanOrEqual(8);
  expect(plan.filter((line) => /^SCAN|TEMP B-TREE/.test(line))).toEqual([]);
  // Each merchant can have the order.
  await listTransactions(db, 'payment', { orderId: 'order-1' }, { limit: 50 });
  expect(plan.join('\n')).toMatch(/SEARCH t USING INDEX .*\(merchant_id=\? AND kind=\? AND order_id=\?\)/);
});

async function pay({ call, gateway, clock }: TestGateway, order: string, customer: string, amount = 5_000) {
  const request = paymentRequest({ merchant_order_id: order, amount });
  const { body } = await call('POST', '/payments', { ...request, customer: { ...request.customer, id: customer } });
  await gateway.idle();
  clock.advance(60_000);
  return body.transaction_id as string;
}

async function listOrders({ call }: TestGateway, query: string): Promise<string[]> {
  const { status, body } = await call('GET', `/management/payments?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map((row: { merchant_order_id: string }) => row.merchant_order_id);
}

describeOnEachStore('a search', (open) => {
  it('finds parts of orders and customers, in any case and alphabet, and ids by their end', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const id = await pay(test, 'INV-11', 'asha');
    await pay(test, 'INV-12', 'louisa');
    await pay(test, '100%_off', 'maya');
    await pay(test, 'caf\u00e9 \u00c9t\u00e9', 'zoe');
    for (const [search, orders] of [
      ['inv-1', ['INV-12', 'INV-11']],
      // Random ids contain no O and no U.
      ['OUI', ['INV-12']],
      ['\u00c9t\u00e9', ['caf\u00e9 \u00c9t\u00e9']],
      ['100%_', ['100%_off']],
      ['UPI_IN', []],
      [id.slice(-10).toLowerCase(), ['INV-11']],
    ] as const)
      expect(await listOrders(test, `search=${encodeURIComponent(search)}`), search).toEqual(orders);
  });

  it('combines with a range of time and a decline reason, and is counted across pages', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const began = test.clock.now();
    await pay(test, 'first', 'decline-BANK_REJECTED');
    for (const order of ['no-1', 'no-2', 'no-3']) await pay(test, order, 'decline-BANK_REJECTED');
    await pay(test, 'no-4', 'decline-LIMIT_EXCEEDED');
    const from = new Date(began + 30_000).toISOString();
    expect(await listOrders(test, `decline_reason=BANK_REJECTED&created_from=${from}`)).toEqual([
      'no-3',
      'no-2',
      'no-1',
    ]);
    const { body } = await test.call(
      'GET',
      '/management/payments?decline_reason=BANK_REJECTED&search=no-&limit=2&count=true',
    );
    expect(body).toMatchObject({ total: 3 });
    expect(body.data).toHaveLength(2);
    expect((await test.call('GET', '/management/payouts?count=true')).body).toEqual({ data: [], total: 0 });
  });
});

it('the credentials are the secret, and the last characters of the key, which only the demo shows completely', async () => {
  const store = await openTestSqlite();
  const test = await startTestGateway({ store, sandbox: true });
  const { body } = await test.call('GET', '/sandbox/merchant/credentials');
  expect(body.secrets).toEqual([test.secret]);
  expect(body.keys).toEqual([{ id: expect.stringMatching(/^key_/), hint: `…${test.key.slice(-4)}` }]);
  await store.unit((db) => insertDemoKey(db, test.merchant.id, test.clock.now()));
  expect((await test.call('GET', '/sandbox/merchant/credentials')).body.keys).toContainEqual(
    expect.objectContaining({ key: DEMO_KEY }),
  );
});
