/** Rounds of retention: when they start, how they yield, and their effect on the rest of the gateway. */
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { startRetention } from '../../../gateway/src/transactions/retention.ts';
import { recordHanging } from '../../../gateway/src/webhooks/hanging-addresses.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { confirmation, settled } from '../harness/customer.ts';
import { addMerchant, paymentRequest, START } from '../harness/fixtures.ts';
import { afterwards, inject, openTestSqlite, startTestGateway } from '../harness.ts';
import { addUsage, addWebhooks, DAY_MS, eventsLeft, HOUR_MS, periodsLeft } from './rows.ts';

const MINUTE_MS = 60_000;

/** Retention without the rest of the gateway, stopped after the test. */
function startTestRetention(store: Store, clock: ManualClock, { days = 30, batchRows = 100 } = {}) {
  const reported: unknown[] = [];
  const logged: object[] = [];
  const deleted: number[] = [];
  const worker = startRetention(
    { store, clock },
    {
      days,
      batchRows,
      onDeleted: (events) => deleted.push(events),
      log: { info: (fields) => logged.push(fields) },
    },
    (error) => reported.push(error),
  );
  afterwards(() => worker.stop());
  return { worker, reported, logged, deleted };
}

/** A store with a merchant, and a clock that retention follows. */
async function openStore() {
  const store = await openTestSqlite();
  return { store, clock: new ManualClock(START), merchant: await addMerchant(store) };
}

/** Wraps the store to run something before each unit of work. */
function before(store: Store, act: () => void): Store {
  return {
    ...store,
    unit: (work, options) => {
      act();
      return store.unit(work, options);
    },
  };
}

describe('retention', () => {
  it('deletes settled webhooks after their days, and logs it', async () => {
    const { gateway, clock, call, merchant } = await startTestGateway({
      store: await openTestSqlite(),
      retentionDays: 7,
    });
    const { store } = gateway;
    await addUsage(store, merchant, ['2026-01', '2026-02']);
    const metric = async () => (await inject(gateway, { url: '/metrics' })).body.match(/^gateway_events_del.*$/m)?.[0];
    const created = await call('POST', '/payments', paymentRequest());
    const waiting = await settled({ gateway }, call, created.body.transaction_id);
    await call('POST', `/payments/${waiting.transaction_id}/confirm`, confirmation(waiting));
    await gateway.idle();
    clock.advance(MINUTE_MS);
    const paid = await settled({ gateway }, call, waiting.transaction_id);
    await store.unit((db) => db.run('update events set next_at = null'));
    clock.advance(7 * DAY_MS - MINUTE_MS);
    await gateway.idle();
    expect(await eventsLeft(store)).toHaveLength(2);
    expect(await metric()).toBe('gateway_events_deleted_total 0');
    clock.advance(HOUR_MS);
    await gateway.idle();
    expect(await eventsLeft(store)).toEqual([]);
    expect(await metric()).toBe('gateway_events_deleted_total 2');
    expect(await periodsLeft(store)).toEqual(['2026-02', '2026-03', '2026-03-02']);
    expect((await call('GET', `/payments/${paid.transaction_id}`)).body).toEqual(paid);
    expect(await auditStore(store)).toMatchObject({ wallets: 1, entries: 1, differences: [] });
  });

  it('forgets slow addresses of webhooks a week after they last hung', async () => {
    const { store, clock, merchant } = await openStore();
    const { id } = merchant;
    const record = (address: string, at: number) =>
      store.unit((db) => recordHanging(db, [{ merchantId: id, address, hangs: true }], at));
    for (const address of ['a', 'b', 'c']) await record(address, START - 7 * DAY_MS);
    await record('recent', START);
    const { worker } = startTestRetention(store, clock, { batchRows: 2 });
    clock.advance(MINUTE_MS);
    await worker.idle();
    expect(await store.read.all('select address from hanging_addresses')).toEqual([{ address: 'recent' }]);
  });

  it('keeps webhooks forever with a setting of 0 days', async () => {
    const { store, clock, merchant } = await openStore();
    const ids = await addWebhooks(store, merchant, [START - 3_650 * DAY_MS]);
    const { worker } = startTestRetention(store, clock, { days: 0 });
    clock.advance(MINUTE_MS);
    await worker.idle();
    expect(await eventsLeft(store)).toEqual(ids);
  });

  it('finishes in batches, and logs one line per round with deletions', async () => {
    const { store, clock, merchant } = await openStore();
    await addWebhooks(
      store,
      merchant,
      Array.from({ length: 7 }, (_, age) => START - 31 * DAY_MS - age),
    );
    const days = Array.from({ length: 8 }, (_, day) => `2026-01-0${day + 1}`);
    await addUsage(store, merchant, days);
    const { worker, logged, deleted, reported } = startTestRetention(store, clock, { batchRows: 3 });
    clock.advance(MINUTE_MS);
    await worker.idle();
    clock.advance(HOUR_MS);
    await worker.idle();
    expect(deleted).toEqual([3, 3, 1, 0]);
    expect(logged).toEqual([{ events: 7, usage_sums: 8 }]);
    expect(await periodsLeft(store)).toEqual([]);
    expect(reported).toEqual([]);
  });
});

it('retention starts after a minute, and then runs every hour', async () => {
  const { store, clock, merchant } = await openStore();
  const { worker } = startTestRetention(store, clock);
  const leftAfter = async (ms: number) => {
    await addWebhooks(store, merchant, [START - 31 * DAY_MS]);
    clock.advance(ms);
    await worker.idle();
    return (await eventsLeft(store)).length;
  };
  expect(await leftAfter(MINUTE_MS - 1)).toBe(1);
  expect(await leftAfter(1)).toBe(0);
  expect(await leftAfter(HOUR_MS - 1)).toBe(1);
  expect(await leftAfter(1)).toBe(0);
});

it('retention scans the usage of customers once a month', async () => {
  const { store, clock, merchant } = await openStore();
  const { worker } = startTestRetention(store, clock);
  const periodsAfter = async (ms: number) => {
    clock.advance(ms);
    await worker.idle();
    return periodsLeft(store);
  };
  await addUsage(store, merchant, ['2026-01', '2026-02', '2026-02-28', '2026-03']);
  expect(await periodsAfter(MINUTE_MS)).toEqual(['2026-02', '2026-02-28', '2026-03']);
  await addUsage(store, merchant, ['2026-01']);
  expect(await periodsAfter(HOUR_MS)).toContain('2026-01');
  expect(await periodsAfter(Date.UTC(2026, 3, 1) - clock.now())).toEqual(['2026-03']);
});

it('failed retention is reported, and catches up in the next round', async () => {
  const { store, clock, merchant } = await openStore();
  await addWebhooks(store, merchant, [START - 31 * DAY_MS]);
  await addUsage(store, merchant, ['2025-12']);
  let failing = true;
  const broken = before(store, () => {
    if (failing) throw new Error('the disk is full');
  });
  const { worker, reported } = startTestRetention(broken, clock);
  clock.advance(MINUTE_MS);
  await worker.idle();
  expect(reported).toEqual([new Error('the disk is full')]);
  failing = false;
  clock.advance(HOUR_MS);
  await worker.idle();
  expect([await eventsLeft(store), await periodsLeft(store)]).toEqual([[], []]);
});

it('retention stops between two units of work when the gateway stops', async () => {
  const { store, clock, merchant } = await openStore();
  await addWebhooks(
    store,
    merchant,
    Array.from({ length: 5 }, () => START - 31 * DAY_MS),
  );
  const units = Promise.withResolvers<void>();
  const slow = before(store, () => {
    clock.advance(10);
    units.resolve();
  });
  const { worker, deleted } = startTestRetention(slow, clock, { batchRows: 2 });
  clock.advance(MINUTE_MS);
  await units.promise;
  await worker.stop();
  expect(deleted).toEqual([2]);
  expect(await eventsLeft(store)).toHaveLength(3);
});
