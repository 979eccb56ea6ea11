/** The ledger of a merchant, its audit, and full wallets. */
import { expect, it } from 'vitest';
import { listUnhealthyTransactions } from '../../../gateway/src/transactions/failures.ts';
import { paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { describeOnEachStore } from '../harness/stores.ts';

const FULL = Number.MAX_SAFE_INTEGER;
const MINUTE_MS = 60_000;

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
  const drain = async (amount: number) => (await test.call('POST', '/sandbox/wallets/INR/drain', { amount })).body;
  const message = 'must be at most 100, which is available';
  expect(await drain(101)).toMatchObject({ status: 400, violations: [{ pointer: '/amount', message }] });
  expect((await drain(100)).balances).toEqual([{ currency: 'INR', available: 0, pending: 0 }]);
});

it('the room of a wallet is reduced by pending amounts and by amounts reserved by payouts', async () => {
  const test = await startTestGateway({ sandbox: true });
  const id = await manualPayment(test);
  const { amount: pending } = (await test.call('POST', `/sandbox/payments/${id}/succeed`)).body;
  const payout = payoutRequest();
  await fund(test, payout.amount);
  await test.call('PUT', '/sandbox/channels/payout/IMPS_IN', { condition: 'manual' });
  const created = await test.call('POST', '/payouts', payout);
  const room = FULL - pending - payout.amount;
  const refused = await fund(test, room + 1);
  expect(refused.body.violations).toMatchObject([{ message: `must be at most ${room}: a wallet holds no more` }]);
  expect((await fund(test, room)).status).toBe(200);
  const decline = `/sandbox/payouts/${created.body.transaction_id}/decline`;
  expect((await test.call('POST', decline, { decline_reason: 'INTERNAL_ERROR' })).status).toBe(200);
  await test.gateway.idle();
  expect(await listUnhealthyTransactions(test.gateway.store.read, 10)).toEqual([]);
  const audit = async () => (await test.call('POST', `/management/merchants/${test.merchant.id}/audit`)).body;
  expect(await audit()).toEqual({ ok: true, entries: 5, transactions: 2, findings: [] });
  await test.gateway.store.unit((db) => db.run('update wallets set available = available - 1'));
  expect(await audit()).toMatchObject({ ok: false, findings: [expect.stringContaining('available is')] });
});

it('a full wallet delays a payment with increasing pauses, until it is drained', async () => {
  const test = await startTestGateway({ sandbox: true });
  await fund(test, FULL);
  const { body } = await test.call('POST', '/payments', paymentRequest({ customer: { id: 'succeed' } }));
  await test.call('POST', `/sandbox/payments/${body.transaction_id}/pay`);
  await test.gateway.idle();
  const wait = async (times: number, ms: number) => {
    for (let waited = 0; waited < times; waited++) {
      test.clock.advance(ms);
      await test.gateway.idle();
    }
  };
  await wait(60, MINUTE_MS);
  const [{ transaction, failing } = {}] = await listUnhealthyTransactions(test.gateway.store.read, 10);
  expect(transaction?.id).toBe(body.transaction_id);
  expect(failing?.failures).toBeLessThan(20);
  await test.call('POST', '/sandbox/wallets/INR/drain');
  await wait(3, 60 * MINUTE_MS);
  expect((await test.call('GET', `/payments/${body.transaction_id}`)).body.status).toBe('SUCCESS');
  expect(await listUnhealthyTransactions(test.gateway.store.read, 10)).toEqual([]);
});
