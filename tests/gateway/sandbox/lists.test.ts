import { expect, it } from 'vitest';
import type { Value } from '../../../gateway/src/database/store.ts';
import { listEntries } from '../../../gateway/src/ledger/ledger-pages.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { listTransactions, SEARCHED_MAX } from '../../../gateway/src/transactions/merchant-transactions.ts';
import { listEvents } from '../../../gateway/src/webhooks/merchant-events.ts';
import { addPayment, fund, paymentRequest, payoutRequest, START } from '../harness/fixtures.ts';
import { startTestGateway, type TestGateway, type TestMerchant } from '../harness/gateway.ts';
import { describeOnEachDriver, openTestSqlite } from '../harness/stores.ts';

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

describeOnEachDriver('the list of payments', (open) => {
  it('has every payment once, newest first, across pages', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const ids = await createPayments(
      test,
      Array.from({ length: 5 }, () => paymentRequest()),
    );
    const seen: string[] = [];
    let cursor = '';
    for (const size of [2, 2, 1]) {
      const page = await list(test, `?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.ids).toHaveLength(size);
      seen.push(...page.ids);
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(ids);
    expect(cursor).toBeUndefined();
  });

  it.each([
    ['payments', 'PROCESSING'],
    ['payouts', 'CREATED'],
    ['payments', 'success'],
  ])('of %s is refused with the impossible status %s', async (kind, status) => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    expect(await test.call('GET', `/management/${kind}?status=${status}`)).toMatchObject({
      status: 400,
      body: { violations: [{ in: 'query', pointer: '/status', message: expect.stringContaining('SUCCESS, FAILED') }] },
    });
  });

  it('finds payments by status, method, order and customer', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
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

  it("never shows another merchant's payments", async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const other = await test.addMerchant('Other');
    const request = paymentRequest();
    const [ours] = await createPayments(test, [request]);
    const [others] = await createPayments(test, [request], other);
    expect((await list(test)).ids).toEqual([ours]);
    expect((await list(other)).ids).toEqual([others]);
    const cursor = await list(test, `?cursor=${others}`);
    expect(cursor.ids).toEqual([ours]);
    expect((await test.call('GET', `/management/payments/${others}`)).status).toBe(404);
  });

  it('refuses a foreign cursor', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    for (const cursor of ['1', randomIds.newId('out', START), "pay_' or 1 = 1"]) {
      const refused = await test.call('GET', `/management/payments?cursor=${encodeURIComponent(cursor)}`);
      expect(refused).toMatchObject({ status: 400, body: { violations: [{ in: 'query', pointer: '/cursor' }] } });
    }
  });

  it('continues a search without a match on the searched page', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const oldest = await addPayment(test.gateway.store, test.merchant, { status: 'VERIFYING' });
    const { store } = test.gateway;
    await store.unit((db) =>
      db.run(
        `with recursive n (n) as (select 1 union all select n + 1 from n where n <= ${SEARCHED_MAX})
         insert into transactions (id, merchant_id, kind, order_id, currency, amount, status, version, created_at, details, state)
         select 'pay_0ZZZZZZZZZ' || substr('0000000000000000' || n, -16 + length('0000000000000000' || n) + 1),
           merchant_id, kind, 'copy ' || n, currency, amount, 'FAILED', version, created_at, details, state
         from n, transactions where id = ?`,
        oldest.id,
      ),
    );
    const empty = await list(test, '?status=VERIFYING');
    expect(empty.ids).toEqual([]);
    expect((await list(test, `?status=VERIFYING&cursor=${empty.next_cursor}`)).ids).toEqual([oldest.id]);
  });
});

describeOnEachDriver('the list of payouts', (open) => {
  it('has payouts only', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    await fund(test.gateway.store, test.merchant, 10_000_000);
    await createPayments(test, [paymentRequest()]);
    const payout = await test.call('POST', '/payouts', payoutRequest());
    const { ids, data } = await list(test, '', 'payouts');
    expect(ids).toEqual([payout.body.transaction_id]);
    expect(data[0]).toMatchObject({ kind: 'payout', payment_method_type: 'IMPS_IN' });
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
  await listTransactions(db, 1, 'payment', { status: 'SUCCESS' }, { limit: 50 });
  await listTransactions(db, 1, 'payment', {}, { limit: 50 });
  await listEntries(db, 1, 'INR', { limit: 50 });
  await listEvents(db, { merchantId: 1, limit: 50 });
  await listTransactions(db, undefined, 'payment', { status: 'SUCCESS' }, { limit: 50 });
  await listEvents(db, { state: 'given_up', range: { from: 'evt_0' }, limit: 50 });
  expect(plan.length).toBeGreaterThanOrEqual(8);
  expect(plan.filter((line) => /^SCAN|TEMP B-TREE/.test(line))).toEqual([]);
  // Each merchant can have the order.
  await listTransactions(db, undefined, 'payment', { orderId: 'order-1' }, { limit: 50 });
  expect(plan.join('\n')).toMatch(/SEARCH t USING INDEX .*\(merchant_id=\? AND kind=\? AND order_id=\?\)/);
});
