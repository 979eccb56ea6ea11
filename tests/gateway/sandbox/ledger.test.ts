/** The ledger of a merchant, its audit, and full wallets. */
import { describe, expect, it } from 'vitest';
import { listUnhealthyTransactions } from '../../../gateway/src/transactions/failures.ts';
import { AMOUNT_MAX, addLargeEntries } from '../harness/books.ts';
import { paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { describeOnEachStore, openTestSqlite } from '../harness/stores.ts';

/** Gives debits later ids than credits. */
const SORT_BY_REASON =
  "update ledger_entries set id = substr(id, 1, 14) || '9' || substr(id, 16) where reason = 'drained'";

it('the ledger has exact balances above 2^53, across pages', async () => {
  const store = await openTestSqlite();
  const test = await startTestGateway({ store, sandbox: true });
  await addLargeEntries(store, test.merchant, 3);
  // Entries are listed by their ids. As if the debits came first, the balance rises to three amounts.
  await store.unit((db) => db.run(SORT_BY_REASON));
  test.clock.advance(1_000);
  await fund(test, 7);
  const balances: string[] = [];
  let cursor = '';
  do {
    const { body } = await test.call(
      'GET',
      `/management/merchants/${test.merchant.id}/ledger?currency=INR&limit=2${cursor}`,
    );
    balances.push(...body.data.map((entry: { balance: { total: string } }) => entry.balance.total));
    cursor = body.next_cursor && `&cursor=${body.next_cursor}`;
  } while (cursor);
  const times = (count: number) => String(BigInt(count) * BigInt(AMOUNT_MAX));
  expect(balances).toEqual(['7', times(0), times(1), times(2), times(3), times(2), times(1)]);
});

const FULL = Number.MAX_SAFE_INTEGER;
const HOUR_MS = 3_600_000;

const fund = (test: TestGateway, amount: number) => test.call('POST', '/sandbox/wallets/INR/fund', { amount });

async function manualPayment(test: TestGateway): Promise<string> {
  await test.call('PUT', '/sandbox/channels/payment/UPI_IN', { condition: 'manual' });
  const { body } = await test.call('POST', '/payments', paymentRequest());
  await test.call('POST', `/sandbox/payments/${body.transaction_id}/ask-for-confirmation`);
  await test.call('POST', `/sandbox/payments/${body.transaction_id}/pay`);
  return body.transaction_id;
}

describeOnEachStore('a full wallet', (open) => {
  it('accepts one of two concurrent payments if it has room for one', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const ids = [await manualPayment(test), await manualPayment(test)];
    const { amount } = (await test.call('GET', `/payments/${ids[0]}`)).body;
    await fund(test, FULL - amount);
    const succeeded = await Promise.all(ids.map((id) => test.call('POST', `/sandbox/payments/${id}/succeed`)));
    expect(succeeded.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = succeeded.find(({ status }) => status === 409);
    expect(refused?.body.detail).toMatch(
      /^The INR wallet has room for 0, and the payment would add \d+\. Drain it first: POST \/sandbox\/wallets\/INR\/drain\.$/,
    );
  });
});

it('a wallet is drained by at most what is available', async () => {
  const test = await startTestGateway({ sandbox: true });
  await fund(test, 100);
  const drain = (amount: number) => test.call('POST', '/sandbox/wallets/INR/drain', { amount });
  const refused = await drain(101);
  expect(refused).toMatchObject({
    status: 400,
    body: { violations: [{ pointer: '/amount', message: 'must be at most 100, which is available' }] },
  });
  expect((await drain(100)).body.balances).toEqual([{ currency: 'INR', available: 0, pending: 0 }]);
});

describe('the room of a wallet', () => {
  it('reserves room for pending amounts', async () => {
    const test = await startTestGateway({ sandbox: true });
    const id = await manualPayment(test);
    const { amount } = (await test.call('POST', `/sandbox/payments/${id}/succeed`)).body;
    const refused = await fund(test, FULL);
    expect(refused.status).toBe(400);
    expect(refused.body.violations[0].message).toBe(`must be at most ${FULL - amount}: a wallet holds no more`);
    expect((await fund(test, FULL - amount)).status).toBe(200);
    const audit = async () => (await test.call('POST', `/management/merchants/${test.merchant.id}/audit`)).body;
    expect(await audit()).toEqual({ ok: true, entries: 2, transactions: 1, findings: [] });
    await test.gateway.store.unit((db) => db.run('update wallets set available = available - 1'));
    expect(await audit()).toMatchObject({ ok: false, findings: [expect.stringContaining('available is')] });
  });

  it('reserves room for amounts reserved by payouts', async () => {
    const test = await startTestGateway({ sandbox: true });
    await test.call('PUT', '/sandbox/channels/payout/IMPS_IN', { condition: 'manual' });
    const { amount } = payoutRequest();
    await fund(test, amount);
    const { body } = await test.call('POST', '/payouts', payoutRequest());
    expect((await fund(test, FULL)).status).toBe(400);
    expect((await fund(test, FULL - amount)).status).toBe(200);
    const declined = await test.call('POST', `/sandbox/payouts/${body.transaction_id}/decline`, {
      decline_reason: 'INTERNAL_ERROR',
    });
    expect(declined.status).toBe(200);
    await test.gateway.idle();
    expect(await listUnhealthyTransactions(test.gateway.store.read, 10)).toEqual([]);
  });
});

it('a full wallet delays a payment with increasing pauses, until it is drained', async () => {
  const test = await startTestGateway({ sandbox: true });
  await fund(test, FULL);
  const customer = { ...paymentRequest().customer, id: 'succeed' };
  const { body } = await test.call('POST', '/payments', paymentRequest({ customer }));
  await test.call('POST', `/sandbox/payments/${body.transaction_id}/pay`);
  await test.gateway.idle();
  for (let minutes = 0; minutes < 60; minutes++) {
    test.clock.advance(60_000);
    await test.gateway.idle();
  }
  const [{ transaction, failing } = {}] = await listUnhealthyTransactions(test.gateway.store.read, 10);
  expect(transaction?.id).toBe(body.transaction_id);
  expect(failing?.failures).toBeLessThan(20);
  await test.call('POST', '/sandbox/wallets/INR/drain');
  for (let hours = 0; hours < 3; hours++) {
    test.clock.advance(HOUR_MS);
    await test.gateway.idle();
  }
  expect((await test.call('GET', `/payments/${body.transaction_id}`)).body.status).toBe('SUCCESS');
  expect(await listUnhealthyTransactions(test.gateway.store.read, 10)).toEqual([]);
});
