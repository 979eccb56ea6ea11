/** Partitions created, dropped and kept by maintenance. */
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { maintainPartitions, partitionTables } from '../../../gateway/src/database/postgres/partitions.ts';
import type { Database, Store } from '../../../gateway/src/database/store.ts';
import { selectFaults } from '../../../gateway/src/sandbox/webhook-faults.ts';
import { PARTITIONED_TABLES, startRetention } from '../../../gateway/src/transactions/retention.ts';
import { recordAttempts } from '../../../gateway/src/webhooks/attempt-log.ts';
import { stopUrl } from '../../../gateway/src/webhooks/stopped-urls.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { addMerchant, START } from '../harness/fixtures.ts';
import { afterwards, partitionedDatabase, postgresDatabase, type TestDatabase } from '../harness.ts';
import { addSettled, addWaiting, DAY_MS, eventsLeft, HOUR_MS, URL } from '../retention/rows.ts';

const WEEK_MS = 7 * DAY_MS;
/** Monday, 2 February 2026, and the name of its partition. */
const FEBRUARY = Date.UTC(2026, 1, 2);
const OF_FEBRUARY = 'events_2026_02_02';
const ATTEMPT = { at: START, durationMs: 1, requestHeaders: {} };

/** A database with partitions from 26 January on. */
function shared(): Promise<TestDatabase> {
  return partitionedDatabase(START - 6 * WEEK_MS);
}

async function open(): Promise<Store> {
  return (await shared()).connect();
}

async function partitionNames(store: Store, table = 'events'): Promise<string[]> {
  const rows = await store.read.all(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = to_regclass(?) order by 1`,
    table,
  );
  return rows.map(({ name }) => String(name));
}

/** The partition of each event, by its id. */
async function places(store: Store): Promise<Record<string, string>> {
  const rows = await store.read.all('select id, cast(tableoid as regclass)::text as place from events');
  return Object.fromEntries(rows.map(({ id, place }) => [String(id), String(place)]));
}

/** Runs single rounds that keep webhooks for 30 days. */
async function maintain(store: Store, now: number) {
  const result = await maintainPartitions(store, { tables: PARTITIONED_TABLES, now, before: now - 30 * DAY_MS });
  if (!result) throw new Error('the tables are not partitioned');
  return result;
}

describe('future partitions', () => {
  it('exist for the current period and the next three', async () => {
    const store = await open();
    await maintain(store, FEBRUARY + 20 * WEEK_MS);
    expect((await partitionNames(store)).filter((name) => name > 'events_2026_06')).toEqual([
      ...['events_2026_06_22', 'events_2026_06_29', 'events_2026_07_06', 'events_2026_07_13'],
      'events_default',
    ]);
    expect((await partitionNames(store, 'ledger_entries')).filter((name) => /2026_0[6-9]/.test(name))).toEqual([
      ...['06', '07', '08', '09'].map((month) => `ledger_entries_out_2026_${month}`),
      ...['06', '07', '08', '09'].map((month) => `ledger_entries_pay_2026_${month}`),
    ]);
  });

  it('are created once by concurrent processes', async () => {
    const database = await shared();
    const stores = Array.from({ length: 4 }, () => database.connect());
    const [first] = stores as [Store, ...Store[]];
    const before = await partitionNames(first);
    await Promise.all(stores.map((store) => maintain(store, START + 10 * WEEK_MS)));
    await maintain(first, START + 10 * WEEK_MS);
    const after = await partitionNames(first);
    expect(after.filter((name) => !before.includes(name))).toHaveLength(4);
  });

  it('receive the events of their week, and the default receives all others', async () => {
    const store = await open();
    const ids = await addSettled(store, await addMerchant(store), [
      ...[FEBRUARY, FEBRUARY + WEEK_MS - 1, FEBRUARY + WEEK_MS, START - 400 * DAY_MS, START + 400 * DAY_MS],
    ]);
    const found = await places(store);
    const [ancient, first, last, next, future] = ids.map((id) => found[id]);
    expect([first, last, next]).toEqual([OF_FEBRUARY, OF_FEBRUARY, 'events_2026_02_09']);
    expect([ancient, future]).toEqual(['events_before', 'events_default']);
  });

  it('are not created for periods with rows in the default', async () => {
    const store = await open();
    const [id = ''] = await addSettled(store, await addMerchant(store), [START + 10 * WEEK_MS]);
    await maintain(store, START + 10 * WEEK_MS);
    const names = await partitionNames(store);
    expect(names).not.toContain('events_2026_05_11');
    expect(names).toContain('events_2026_05_18');
    expect(await places(store)).toEqual({ [id]: 'events_default' });
  });
});

describe('an old partition', () => {
  it('is kept while webhooks in it wait, with a log line', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    await addSettled(store, merchant, [FEBRUARY + 1]);
    const [waiting = ''] = await addWaiting(store, merchant, [FEBRUARY + 2]);
    const { kept, rowByRow } = await maintain(store, START + 60 * DAY_MS);
    expect(kept).toEqual([`${OF_FEBRUARY}: webhooks in it wait`]);
    expect(rowByRow).toEqual(['events_default', OF_FEBRUARY]);
    expect(await eventsLeft(store)).toContain(waiting);
  });

  it('is kept while a URL is stopped for a webhook in it', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    const [id = ''] = await addSettled(store, merchant, [FEBRUARY]);
    await store.unit((db) => stopUrl(db, { merchantId: merchant.id, url: URL, eventId: id, stoppedAt: START }));
    expect((await maintain(store, START + 60 * DAY_MS)).kept).toEqual([`${OF_FEBRUARY}: stopped_urls refers to it`]);
    expect(await eventsLeft(store)).toEqual([id]);
  });

  it.each<[string, (db: Database, eventId: string) => Promise<unknown>]>([
    ['webhook_attempts', (db, eventId) => recordAttempts(db, [{ eventId, attempts: [ATTEMPT] }])],
    ['webhook_fault_selections', (db, eventId) => selectFaults(db, eventId, ['rul_1'])],
  ])('is kept while %s has rows of its webhooks', async (table, addRow) => {
    const store = await open();
    const [id = ''] = await addSettled(store, await addMerchant(store), [FEBRUARY]);
    await store.unit((db) => addRow(db, id));
    expect((await maintain(store, START + 60 * DAY_MS)).kept).toEqual([`${OF_FEBRUARY}: ${table} refers to it`]);
    expect(await eventsLeft(store)).toEqual([id]);
  });

  it('is dropped by one of several processes', async () => {
    const database = await shared();
    const stores = Array.from({ length: 4 }, () => database.connect());
    const rounds = await Promise.all(stores.map((store) => maintain(store, FEBRUARY + WEEK_MS + 30 * DAY_MS)));
    const [first] = stores as [Store, ...Store[]];
    const dropped = rounds.flatMap((round) => round.dropped);
    expect(dropped).toContain(OF_FEBRUARY);
    expect(new Set(dropped).size).toBe(dropped.length);
    expect(await partitionNames(first)).not.toContain(OF_FEBRUARY);
  });

  it('is kept while it is read, and delays requests no longer than the lock timeout', async () => {
    const database = await shared();
    const [reader, store, caller] = [database.connect(), database.connect(), database.connect()];
    const merchant = await addMerchant(store);
    const ids = await addSettled(store, merchant, [FEBRUARY]);
    const entered = Promise.withResolvers<void>();
    const leave = Promise.withResolvers<void>();
    const reading = reader.snapshot(async (db) => {
      await db.all('select id from events');
      entered.resolve();
      await leave.promise;
    });
    await entered.promise;
    const round = maintain(store, START + 60 * DAY_MS);
    // Waits behind the lock request that waits for the reader.
    const asked = await Promise.all(Array.from({ length: 20 }, () => addSettled(caller, merchant, [START])));
    expect(asked).toHaveLength(20);
    expect((await round).dropped).not.toContain(OF_FEBRUARY);
    leave.resolve();
    await reading;
    expect(await eventsLeft(store)).toEqual(expect.arrayContaining(ids));
    expect((await maintain(store, START + 60 * DAY_MS)).dropped).toContain(OF_FEBRUARY);
  });
});

describe('retention with partitions', () => {
  it('drops partitions, deletes rows elsewhere, and logs both', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    const kept = await addWaiting(store, merchant, [FEBRUARY + WEEK_MS]);
    const beforeAll = START - 200 * DAY_MS;
    await addSettled(store, merchant, [FEBRUARY, FEBRUARY + WEEK_MS + 1, beforeAll]);
    const [young = ''] = await addSettled(store, merchant, [START]);
    const logged: object[] = [];
    const deleted: number[] = [];
    const clock = new ManualClock(FEBRUARY + 2 * WEEK_MS + 30 * DAY_MS);
    const worker = startRetention(
      { store, clock },
      { days: 30, onDeleted: (rows) => deleted.push(rows), log: { info: (fields) => logged.push(fields) } },
      (error) => {
        throw error;
      },
    );
    afterwards(() => worker.stop());
    clock.advance(HOUR_MS);
    await worker.idle();
    expect(await eventsLeft(store)).toEqual([...kept, young]);
    expect(deleted.reduce((sum, rows) => sum + rows, 0)).toBe(1);
    expect(logged).toEqual([
      { events: 1, usage_sums: 0 },
      { partitions: expect.arrayContaining(['events_before', OF_FEBRUARY]) },
      { partitions: ['events_2026_02_09: webhooks in it wait'] },
    ]);
  });

  it('deletes rows older than the partitions one by one until all are old', async () => {
    const store = (await postgresDatabase()).connect();
    await migrate(store);
    const merchant = await addMerchant(store);
    const [, recent = ''] = await addSettled(store, merchant, [START - 40 * DAY_MS, START - DAY_MS]);
    await partitionTables(store, PARTITIONED_TABLES, START);
    const { rowByRow } = await maintain(store, START);
    expect(rowByRow).toEqual(['events_default', 'events_before']);
    expect(await places(store)).toMatchObject({ [recent]: 'events_before' });
  });
});
