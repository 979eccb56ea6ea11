/** Metrics of overdue work. */
import { describe, expect, it } from 'vitest';
import { createSigningSecret } from '../../../gateway/src/merchants/signing-secrets.ts';
import { oldestDueMs } from '../../../gateway/src/transactions/open-transactions.ts';
import { recordHanging } from '../../../gateway/src/webhooks/hanging-addresses.ts';
import { addMerchant, addPayment, START } from '../harness/fixtures.ts';
import { inject, openTestSqlite, startTestGateway } from '../harness.ts';
import { addEvents } from '../webhooks/deliveries.ts';
import { startReceiver } from '../webhooks/receiver.ts';

describe('the age of the oldest due work', () => {
  it('covers all merchants, and separates webhooks to hanging endpoints', async () => {
    const store = await openTestSqlite();
    const merchants = [await addMerchant(store), await addMerchant(store)] as const;
    await addPayment(store, merchants[0], { dueAt: START - 30_000 });
    const [prompt, slow] = ['http://127.0.0.1:1', 'http://127.0.0.1:2'] as const;
    await addEvents(store, merchants[1], [`${slow}/hook`], { now: START - 50_000 });
    await addEvents(store, merchants[0], [`${prompt}/hook`], { now: START - 10_000 });
    await addEvents(store, merchants[1], [`${prompt}/hook`, `${prompt}/other`], { now: START - 20_000 });
    const address = { merchantId: merchants[1].id, address: slow, hangs: true };
    await store.unit((db) => recordHanging(db, [address], START));
    expect(await oldestDueMs(store.read, START)).toEqual({
      transaction: 30_000,
      webhook: 20_000,
      slow_webhook: 50_000,
    });
  });

  it("is in the gateway's metrics, in seconds, until the work is done", async () => {
    const { gateway, clock, merchant } = await startTestGateway({
      store: await openTestSqlite(),
      callbackAllow: ['127.0.0.1'],
    });
    const { store } = gateway;
    await store.unit((db) => createSigningSecret(db, merchant.id, START));
    await gateway.idle();
    const receiver = await startReceiver();
    const age = async () =>
      /gateway_oldest_due_seconds\{kind="webhook"\} (\d+)/.exec((await inject(gateway, { url: '/metrics' })).body)?.[1];
    // Bypasses the workers, which poll when the clock moves.
    await addEvents(store, merchant, [receiver.address], { now: START - 20_000 });
    expect(await age()).toBe('20');
    clock.advance(1_000);
    await receiver.received(1);
    await gateway.idle();
    expect(await age()).toBe('0');
    // Its transaction is not one of the contract's.
    await store.unit((db) => db.run('delete from events'));
  });
});

it('reads the age of the oldest due webhook from an index, address by address', async () => {
  const store = await openTestSqlite();
  const plan: string[] = [];
  const all: typeof store.read.all = async (sql, ...values) => {
    for (const { detail } of await store.read.all(`explain query plan ${sql}`, ...values)) plan.push(String(detail));
    return [];
  };
  await oldestDueMs({ ...store.read, get: store.read.get.bind(store.read), all }, START);
  const onEvents = plan.filter((line) => /\b(events|e)\b/.test(line));
  expect(onEvents.length).toBeGreaterThan(2);
  for (const line of onEvents) expect(line).toMatch(/SEARCH .* USING COVERING INDEX events_by_address/);
});
