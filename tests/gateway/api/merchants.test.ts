/** Requests require a merchant's key, and merchants are isolated from each other. */
import { beforeAll, expect, it } from 'vitest';
import { operations, readBundle } from '../../../contract/src/model.ts';
import { createApiKey, revokeApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { problemType } from '../../tools/problems.ts';
import { balances, confirmation, settled } from '../harness/customer.ts';
import { fund, paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { describeOnEachStore, startTestGateway, type TestGateway, type TestMerchant } from '../harness.ts';

const BY_ID = operations(readBundle()).filter(({ parameters }) => parameters.some((one) => one.in === 'path'));

describeOnEachStore('a merchant', (open) => {
  let test: TestGateway;
  let other: TestMerchant;

  beforeAll(async () => {
    test = await startTestGateway({ store: await open() });
    other = await test.addMerchant('Other merchant');
    await fund(test.gateway.store, test.merchant, 1_000_000);
  });

  it.each(BY_ID.map(({ id, method, path, request }) => ({ id, method, path, request })))(
    "gets 404 from $id with another merchant's id, as with an unknown one",
    async ({ method, path, request }) => {
      const payment = await test.call('POST', '/payments', paymentRequest({ customer: { id: 'clarify-email' } }));
      const payout = await test.call('POST', '/payouts', payoutRequest({ amount: 1_000 }));
      const before = await settled(test, test.call, payment.body.transaction_id);
      const { body: made } = path.startsWith('/payments') ? payment : payout;
      const verb = method.toUpperCase() as 'GET' | 'POST';
      const sent = request?.examples[0]?.value;
      const answers = [];
      for (const id of [made.transaction_id, `${made.transaction_id}X`, 'none', '%E2%82%AC']) {
        answers.push(await other.call(verb, path.replace(/\{\w+\}/, id), sent));
      }
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      const details = answers.map(({ body: { request_id: _, ...told } }) => JSON.stringify(told));
      expect(new Set(details).size).toBe(1);
      expect(await settled(test, test.call, payment.body.transaction_id)).toEqual(before);
    },
  );

  it('does not find a payment by the identifiers of another merchant', async () => {
    const request = paymentRequest();
    const { body } = await test.call('POST', '/payments', request);
    for (const query of [`transaction_id=${body.transaction_id}`, `merchant_order_id=${request.merchant_order_id}`]) {
      expect((await other.call('GET', `/payments?${query}`)).status).toBe(404);
    }
  });

  it('does not find a payment as a payout, nor a payout as a payment', async () => {
    const payment = await test.call('POST', '/payments', paymentRequest());
    const payout = await test.call('POST', '/payouts', payoutRequest({ amount: 1_000 }));
    expect((await test.call('GET', `/payouts/${payment.body.transaction_id}`)).status).toBe(404);
    expect((await test.call('GET', `/payments/${payout.body.transaction_id}`)).status).toBe(404);
    expect((await test.call('GET', `/payments?transaction_id=${payout.body.transaction_id}`)).status).toBe(404);
  });

  it('can reuse an order id of another merchant', async () => {
    const request = paymentRequest();
    const mine = await test.call('POST', '/payments', request);
    const theirs = await other.call('POST', '/payments', { ...request, amount: 12_300 });
    expect(theirs).toMatchObject({ status: 200, body: { amount: 12_300 } });
    expect(theirs.body.transaction_id).not.toBe(mine.body.transaction_id);
    const found = await other.call('GET', `/payments?merchant_order_id=${request.merchant_order_id}`);
    expect(found.body.transaction_id).toBe(theirs.body.transaction_id);
  });

  it('has a separate wallet', async () => {
    const before = await balances(test.call);
    const { body } = await other.call('POST', '/payments', paymentRequest());
    const asked = await settled(test, other.call, body.transaction_id);
    await other.call('POST', `/payments/${body.transaction_id}/confirm`, confirmation(asked));
    await test.gateway.idle();
    test.clock.advance(60_000);
    await test.gateway.idle();
    expect((await balances(other.call))['INR']?.available).toBeGreaterThanOrEqual(body.amount);
    expect(await balances(test.call)).toEqual(before);
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['another scheme', 'Basic c2stdGVzdDo='],
    ['no key', 'Bearer '],
    ['an unknown key', 'Bearer sk_test_unknown'],
    ['a key and something after it', 'Bearer sk_test_unknown x'],
    ['a key that is too long', `Bearer ${'x'.repeat(300)}`],
  ])('is not recognized by %s', async (_what, authorization) => {
    const answer = await test.call('GET', '/merchant/balance', undefined, { authorization });
    expect(answer).toMatchObject({ status: 401, body: { type: problemType('unauthorized'), status: 401 } });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  });

  it('is recognized by a case-insensitive scheme, and by each unrevoked key', async () => {
    const { store } = test.gateway;
    const { id, key } = await store.unit((db) => createApiKey(db, test.merchant.id, test.clock.now()));
    const balance = (authorization: string) => test.call('GET', '/merchant/balance', undefined, { authorization });
    expect((await balance(`bearer ${test.key}`)).body.merchant_id).toBe(test.merchant.id);
    const { key: unused, id: unusedId } = await store.unit((db) =>
      createApiKey(db, test.merchant.id, test.clock.now()),
    );
    expect((await balance(`Bearer ${key}`)).body.merchant_id).toBe(test.merchant.id);
    expect(await store.unit((db) => revokeApiKey(db, other.merchant.id, unusedId, test.clock.now()))).toBe(false);
    expect(await store.unit((db) => revokeApiKey(db, test.merchant.id, unusedId, test.clock.now()))).toBe(true);
    expect((await balance(`Bearer ${unused}`)).status).toBe(401);
    expect(await store.unit((db) => revokeApiKey(db, test.merchant.id, id, test.clock.now()))).toBe(true);
    expect((await balance(`Bearer ${test.key}`)).status).toBe(200);
  });

  it('has only hashes of its keys in the store', async () => {
    const rows = await test.gateway.store.read.all('select * from api_keys');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(test.key.slice(0, -4));
  });
});
