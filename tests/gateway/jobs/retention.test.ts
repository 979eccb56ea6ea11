/** Rows that retention deletes, when it runs, and its effect on the rest of the gateway. */
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import type { Database, Store, Value } from '../../../gateway/src/database/store.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { addUsage as count, subtractUsage } from '../../../gateway/src/transactions/customer-usage.ts';
import {
  type DeletedBatch,
  deleteOldUsage,
  deleteSettledEvents,
  startRetention,
} from '../../../gateway/src/transactions/retention.ts';
import { recordHanging } from '../../../gateway/src/webhooks/hanging-addresses.ts';
import { appendEvent } from '../../../gateway/src/webhooks/outbox.ts';
import { resumeUrl, stopUrl } from '../../../gateway/src/webhooks/stopped-urls.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { confirmation, settled } from '../harness/customer.ts';
import { addMerchant, addPayment, holdUnit, paymentRequest, START } from '../harness/fixtures.ts';
import {
  afterwards,
  describeOnEachStore,
  inject,
  openTestSqlite,
  postgresDatabase,
  startTestGateway,
} from '../harness.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Beyond the 30 days of most tests. */
const OLD = START - 31 * DAY_MS;
const URL = 'https://shop.example.com/hook';

/** Adds a webhook for each creation time. Without a next attempt, they are settled. */
async function addWebhooks(store: Store, merchant: Merchant, times: readonly number[], nextAt: number | null = null) {
  const payment = await addPayment(store, merchant, { callbackUrl: URL });
  return store.unit(async (db) => {
    for (const time of times)
      await appendEvent(db, { id: randomIds.newId('evt', time), transaction: payment, body: '{}', now: time });
    await db.run('update events set next_at = ? where transaction_id = ?', nextAt, payment.id);
    const rows = await db.all('select id from events where transaction_id = ? order by created_at, id', payment.id);
    return rows.map(({ id }) => String(id));
  });
}

/** The remaining webhooks, in order of creation. */
async function eventsLeft(store: Store): Promise<string[]> {
  return (await store.read.all('select id from events order by created_at, id')).map(({ id }) => String(id));
}

/** Adds a customer's usage for each period. */
async function addUsage(
  store: Store,
  { id }: Merchant,
  periods: readonly string[],
  { customer = 'customer-71', currency = 'INR', kind = 'payment' } = {},
): Promise<void> {
  const insert = `insert into customer_usage (merchant_id, kind, customer_id, currency, period, amount)
    values (?, ?, ?, ?, ?, 5)`;
  await store.unit(async (db) => {
    for (const period of periods) await db.run(insert, id, kind, customer, currency, period);
  });
}

/** The distinct periods of the remaining usage rows. */
async function periodsLeft(store: Store): Promise<string[]> {
  const rows = await store.read.all('select distinct period from customer_usage order by period');
  return rows.map(({ period }) => String(period));
}

/** Scans a table completely. Returns the number of deleted rows per batch. */
async function scan<Key>(
  store: Store,
  deleteBatch: (db: Database, after: Key | undefined) => Promise<DeletedBatch<Key>>,
): Promise<number[]> {
  const deleted: number[] = [];
  let after: Key | undefined;
  do {
    const batch = await store.unit((db) => deleteBatch(db, after));
    deleted.push(batch.deleted);
    after = batch.last;
  } while (after !== undefined);
  return deleted;
}

function deleteEvents(store: Store, limit = 100): Promise<number[]> {
  return scan<string>(store, (db, after) => deleteSettledEvents(db, START, limit, after));
}

function deleteUsage(store: Store, before: string, limit = 100): Promise<number[]> {
  return scan(store, (db, after?: DeletedBatch<readonly Value[]>['last']) => deleteOldUsage(db, before, limit, after));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const times = (ages: readonly number[]) => ages.map((age) => START - age);

describeOnEachStore('settled webhooks', (open, database) => {
  it('are deleted if both their time and their id are before the limit', async () => {
    const store = await open();
    const [, , third, fourth] = await addWebhooks(store, await addMerchant(store), times([1e9, 2, 0, -1]));
    const [younger = ''] = await addWebhooks(store, await addMerchant(store), times([1]));
    await store.unit((db) => db.run('update events set created_at = ? where id = ?', START + 2, younger));
    expect(await deleteEvents(store)).toEqual([2]);
    expect(await eventsLeft(store)).toEqual([third, fourth, younger]);
  });

  it('are scanned in batches, past webhooks that stay', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    const waiting = await addWebhooks(store, merchant, times([1, 2, 3, 4, 11]), START);
    await addWebhooks(store, merchant, times([5, 6, 7, 8, 9, 10, 12]));
    expect(await deleteEvents(store, 4)).toEqual([3, 4, 0, 0]);
    expect(await eventsLeft(store)).toEqual(waiting);
  });

  it('stay while a URL is stopped for them, and are deleted once it is resumed', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    const [stopping = '', ...others] = await addWebhooks(store, merchant, times([3, 2, 1]));
    const stopped = { merchantId: merchant.id, url: URL, eventId: stopping, stoppedAt: START };
    await store.unit((db) => stopUrl(db, stopped));
    expect(await deleteEvents(store)).toEqual([others.length]);
    expect(await eventsLeft(store)).toEqual([stopping]);
    await store.unit((db) => resumeUrl(db, merchant.id, URL));
    expect(await deleteEvents(store)).toEqual([1]);
  });

  it('are each deleted once by concurrent processes', async () => {
    const shared = await database();
    const stores = [shared.connect(), shared.connect(), shared.connect()];
    for (const store of stores) await migrate(store);
    const [first] = stores as [Store, ...Store[]];
    await addWebhooks(first, await addMerchant(first), times([...Array(61).keys()].slice(1)));
    const deleted = await Promise.all(stores.map((store) => deleteEvents(store, 7)));
    expect(sum(deleted.flat()) + sum(await deleteEvents(first))).toBe(60);
    expect(await eventsLeft(first)).toEqual([]);
  });
});

it('settled webhooks in PostgreSQL are deleted without waiting for a locked one', async () => {
  const shared = await postgresDatabase();
  const [holder, store] = [shared.connect(), shared.connect()];
  await migrate(store);
  const [held = '', ...others] = await addWebhooks(store, await addMerchant(store), times([2, 1]));
  const lock = (db: Database) => db.get('select id from events where id = ? for update', held);
  const { letGo, done } = await holdUnit(holder, lock);
  const deleted = await deleteEvents(store).finally(letGo);
  await done;
  expect(deleted).toEqual([others.length]);
  expect(await eventsLeft(store)).toEqual([held]);
});

describeOnEachStore('the usage of a customer', (open) => {
  it.each([1, 3, 100])(
    'is deleted if its day or month is before the month, %d at a time, across all owners',
    async (limit) => {
      const store = await open();
      for (const merchant of [await addMerchant(store), await addMerchant(store)]) {
        for (const customer of ['', 'a', 'b'])
          for (const currency of ['EGP', 'INR'])
            await addUsage(store, merchant, ['2025-12', '2026-01'], { customer, currency, kind: 'payout' });
        await addUsage(store, merchant, ['2025-12-31', '2026-01-01', '2026-02-01']);
      }
      const deleted = await deleteUsage(store, '2026-01', limit);
      expect(sum(deleted)).toBe(14);
      expect(Math.max(...deleted)).toBeLessThanOrEqual(limit);
      expect(await periodsLeft(store)).toEqual(['2026-01', '2026-01-01', '2026-02-01']);
    },
  );

  it('ignores a subtraction after its deletion', async () => {
    const store = await open();
    const payment = await addPayment(store, await addMerchant(store));
    const limits = { perDay: 100, perMonth: 250 };
    await store.unit((db) => count(db, payment, 100, limits));
    await deleteUsage(store, '2026-04');
    await store.unit((db) => subtractUsage(db, payment, 40));
    expect(await periodsLeft(store)).toEqual([]);
    await store.unit((db) => count(db, payment, 100, limits));
    expect(await periodsLeft(store)).toEqual(['2026-03', '2026-03-02']);
  });
});

interface Options {
  readonly days?: number;
  readonly batchRows?: number;
  /** Runs before each unit of work of retention. */
  readonly before?: (clock: ManualClock) => void;
}

/** Starts retention without the rest of the gateway, stopped after the test. */
async function startTestRetention({ days = 30, batchRows = 100, before }: Options = {}) {
  const store = await openTestSqlite();
  const [clock, merchant] = [new ManualClock(START), await addMerchant(store)];
  const reported: unknown[] = [];
  const logged: object[] = [];
  const deleted: number[] = [];
  const unit: Store['unit'] = (work, options) => {
    before?.(clock);
    return store.unit(work, options);
  };
  const log = { info: (fields: object) => void logged.push(fields) };
  const worker = startRetention(
    { store: { ...store, unit }, clock },
    { days, batchRows, onDeleted: (events) => deleted.push(events), log },
    (error) => reported.push(error),
  );
  afterwards(() => worker.stop());
  const pass = async (ms: number) => {
    clock.advance(ms);
    await worker.idle();
  };
  return { store, clock, merchant, worker, pass, reported, logged, deleted };
}

describe('retention', () => {
  it('deletes settled webhooks after their days, and logs it', async () => {
    const store = await openTestSqlite();
    const { gateway, clock, call, merchant } = await startTestGateway({ store, retentionDays: 7 });
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
    const { store, merchant, pass } = await startTestRetention({ batchRows: 2 });
    const record = (address: string, at: number) =>
      store.unit((db) => recordHanging(db, [{ merchantId: merchant.id, address, hangs: true }], at));
    for (const address of ['a', 'b', 'c']) await record(address, START - 7 * DAY_MS);
    await record('recent', START);
    await pass(MINUTE_MS);
    expect(await store.read.all('select address from hanging_addresses')).toEqual([{ address: 'recent' }]);
  });

  it('keeps webhooks forever with a setting of 0 days', async () => {
    const { store, merchant, pass } = await startTestRetention({ days: 0 });
    const ids = await addWebhooks(store, merchant, [START - 3_650 * DAY_MS]);
    await pass(MINUTE_MS);
    expect(await eventsLeft(store)).toEqual(ids);
  });

  it('runs after a minute and then every hour, in batches, and logs each run with deletions', async () => {
    const { store, merchant, pass, logged, deleted, reported } = await startTestRetention({ batchRows: 3 });
    await addWebhooks(store, merchant, Array(7).fill(OLD));
    const days = [...Array(8).keys()].map((day) => `2026-01-0${day + 1}`);
    await addUsage(store, merchant, days);
    await pass(MINUTE_MS - 1);
    expect(deleted).toEqual([]);
    await pass(1);
    expect(deleted).toEqual([3, 3, 1]);
    expect([await eventsLeft(store), await periodsLeft(store)]).toEqual([[], []]);
    await pass(HOUR_MS - 1);
    expect(deleted).toEqual([3, 3, 1]);
    await pass(1);
    expect(deleted).toEqual([3, 3, 1, 0]);
    expect(logged).toEqual([{ events: 7, usage_sums: 8 }]);
    expect(reported).toEqual([]);
  });

  it('reports a failure, and catches up in the next round', async () => {
    let failing = true;
    const before = () => {
      if (failing) throw new Error('the disk is full');
    };
    const { store, merchant, pass, reported } = await startTestRetention({ before });
    await addWebhooks(store, merchant, [OLD]);
    await addUsage(store, merchant, ['2025-12']);
    await pass(MINUTE_MS);
    expect(reported).toEqual([new Error('the disk is full')]);
    failing = false;
    await pass(HOUR_MS);
    expect([await eventsLeft(store), await periodsLeft(store)]).toEqual([[], []]);
  });

  it('stops between two units of work when the gateway stops', async () => {
    const begun = Promise.withResolvers<void>();
    const before = (clock: ManualClock) => {
      clock.advance(10);
      begun.resolve();
    };
    const { store, clock, merchant, worker, deleted } = await startTestRetention({ batchRows: 2, before });
    await addWebhooks(store, merchant, Array(5).fill(OLD));
    clock.advance(MINUTE_MS);
    await begun.promise;
    await worker.stop();
    expect(deleted).toEqual([2]);
    expect(await eventsLeft(store)).toHaveLength(3);
  });
});
