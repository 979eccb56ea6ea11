/** Rows that retention deletes in batches, and rows that stay, with any number of processes. */
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import type { Database, Store, Value } from '../../../gateway/src/database/store.ts';
import type { Payment } from '../../../gateway/src/domain/transaction.ts';
import { addUsage as count, subtractUsage } from '../../../gateway/src/transactions/customer-usage.ts';
import { type DeletedBatch, deleteOldUsage, deleteSettledEvents } from '../../../gateway/src/transactions/retention.ts';
import { resumeUrl, stopUrl } from '../../../gateway/src/webhooks/stopped-urls.ts';
import { addMerchant, addPayment, holdUnit, START } from '../harness/fixtures.ts';
import { describeOnEachStore, openTestPostgres, openTestSqlite, postgresDatabase } from '../harness.ts';
import { addUsage, addWebhooks, eventsLeft, periodsLeft, URL } from './rows.ts';

/** Scans a table completely. Returns the number of deleted rows per batch. */
async function goThrough<Key>(
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

function deleteEvents(store: Store, { before = START, limit = 100 } = {}): Promise<number[]> {
  return goThrough<string>(store, (db, after) => deleteSettledEvents(db, before, limit, after));
}

function deleteUsage(store: Store, before: string, limit = 100): Promise<number[]> {
  return goThrough(store, (db, after?: DeletedBatch<readonly (string | number | null)[]>['last']) =>
    deleteOldUsage(db, before, limit, after),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

describeOnEachStore('settled webhooks', (open, database) => {
  it('are deleted if written before the time', async () => {
    const store = await open();
    const [, , third, fourth] = await addWebhooks(store, await addMerchant(store), [
      START - 1e9,
      START - 1,
      START,
      START + 1,
    ]);
    expect(await deleteEvents(store)).toEqual([2]);
    expect(await eventsLeft(store)).toEqual([third, fourth]);
  });

  it('stay if they are younger than their id', async () => {
    const store = await open();
    const [id = ''] = await addWebhooks(store, await addMerchant(store), [START - 1]);
    await store.unit((db) => db.run('update events set created_at = ?', START));
    expect(await deleteEvents(store)).toEqual([0]);
    expect(await eventsLeft(store)).toEqual([id]);
  });

  it('are scanned in batches, past webhooks that stay', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    const waiting = await addWebhooks(
      store,
      merchant,
      [1, 2, 3, 4, 11].map((age) => START - age),
      START,
    );
    await addWebhooks(
      store,
      merchant,
      [5, 6, 7, 8, 9, 10, 12].map((age) => START - age),
    );
    expect(await deleteEvents(store, { limit: 4 })).toEqual([3, 4, 0, 0]);
    expect(await eventsLeft(store)).toEqual(waiting);
  });

  it('stay while a URL is stopped for them, and are deleted once it is resumed', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    const [stopping = '', ...others] = await addWebhooks(store, merchant, [START - 3, START - 2, START - 1]);
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
    await addWebhooks(
      first,
      await addMerchant(first),
      Array.from({ length: 60 }, (_, age) => START - 60 + age),
    );
    const deleted = await Promise.all(stores.map((store) => deleteEvents(store, { limit: 7 })));
    expect(sum(deleted.flat()) + sum(await deleteEvents(first))).toBe(60);
    expect(await eventsLeft(first)).toEqual([]);
  });
});

it('settled webhooks in SQLite are deleted without reading every stopped URL', async () => {
  const store = await openTestSqlite();
  const plan = await store.read.all('explain query plan delete from events where id = ?', 'evt_1');
  expect(plan.map(({ detail }) => String(detail)).filter((detail) => detail.startsWith('SCAN'))).toEqual([]);
});

describe('settled webhooks in PostgreSQL', () => {
  it('are found by their primary key', async () => {
    const store = await openTestPostgres();
    // Enough for statistics, without which any index looks as good.
    await addWebhooks(
      store,
      await addMerchant(store),
      Array.from({ length: 300 }, (_, age) => START - age - 1),
    );
    await store.longUnit((db) => db.run('analyze events'));
    const plan = await store.unit(async (db) => {
      // As in the sessions of gateways.
      await db.run('set local enable_seqscan = off');
      const lines: unknown[] = [];
      const explain = async (sql: string, values: readonly Value[]) =>
        lines.push(...(await db.all(`explain ${sql}`, ...values)).map((row) => row['QUERY PLAN']));
      const explained: Pick<Database, 'get' | 'run'> = {
        get: (sql, ...values) => explain(sql, values).then(() => db.get(sql, ...values)),
        run: (sql, ...values) => explain(sql, values),
      };
      await deleteSettledEvents({ ...db, ...explained }, START, 100);
      return lines.join('\n');
    });
    // The batch, and the deleted rows of it.
    expect(plan.match(/using events_pkey on events( e)? .*\n +Index Cond: \(\(id > /g), plan).toHaveLength(2);
    expect(plan).not.toContain('Seq Scan');
  });

  it('are deleted without waiting for a locked one', async () => {
    const shared = await postgresDatabase();
    const [holder, store] = [shared.connect(), shared.connect()];
    await migrate(store);
    const [held = '', ...others] = await addWebhooks(store, await addMerchant(store), [START - 2, START - 1]);
    const lock = (db: Database) => db.get('select id from events where id = ? for update', held);
    const { letGo, done } = await holdUnit(holder, lock);
    const deleted = await deleteEvents(store).finally(letGo);
    await done;
    expect(deleted).toEqual([others.length]);
    expect(await eventsLeft(store)).toEqual([held]);
  });
});

describeOnEachStore('the usage of a customer', (open) => {
  it('is deleted if its day or month is before the month', async () => {
    const store = await open();
    const old = ['2024-12', '2025-01-01', '2025-12', '2025-12-31'];
    const kept = ['2026-01', '2026-01-01', '2026-01-31', '2026-02', '2026-02-28'];
    await addUsage(store, await addMerchant(store), [...old, ...kept]);
    expect(await deleteUsage(store, '2026-01')).toEqual([old.length]);
    expect(await periodsLeft(store)).toEqual(kept);
  });

  it.each([1, 3, 4, 100])('is deleted %d at a time, across all owners', async (limit) => {
    const store = await open();
    for (const merchant of [await addMerchant(store), await addMerchant(store)]) {
      for (const customer of ['', 'a', 'b'])
        for (const currency of ['EGP', 'INR'])
          await addUsage(store, merchant, ['2025-12', '2026-01'], { customer, currency, kind: 'payout' });
      await addUsage(store, merchant, ['2025-12-31', '2026-02-01']);
    }
    const deleted = await deleteUsage(store, '2026-01', limit);
    expect(sum(deleted)).toBe(14);
    expect(Math.max(...deleted)).toBeLessThanOrEqual(limit);
    expect(await periodsLeft(store)).toEqual(['2026-01', '2026-02-01']);
  });

  it('ignores a subtraction after its deletion', async () => {
    const store = await open();
    const payment: Payment = await addPayment(store, await addMerchant(store));
    const limits = { perDay: 100, perMonth: 250 };
    await store.unit((db) => count(db, payment, 100, limits));
    await deleteUsage(store, '2026-04');
    await store.unit((db) => subtractUsage(db, payment, 40));
    expect(await periodsLeft(store)).toEqual([]);
    await store.unit((db) => count(db, payment, 100, limits));
    expect(await periodsLeft(store)).toEqual(['2026-03', '2026-03-02']);
  });
});
