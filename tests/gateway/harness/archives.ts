/** A database with old and young transactions, and an archive of it. */
import { expect } from 'vitest';
import { archiveTransactions } from '../../../gateway/src/store/archive/archives.ts';
import { auditArchive } from '../../../gateway/src/store/archive/audit-archives.ts';
import { auditStore } from '../../../gateway/src/store/books/audit-books.ts';
import { migrate } from '../../../gateway/src/store/engine/migrate.ts';
import type { Row, Store } from '../../../gateway/src/store/engine/store.ts';
import { addPaymentAt, addPayoutAt, COLLECTED, FAILED, PAID_OUT, RELEASED, SETTLED } from './books.ts';
import { addMerchant, fund, START } from './fixtures.ts';
import { postgresDatabase, sqliteDatabase, type TestDatabase } from './stores.ts';

export const OLD = START - 400 * 24 * 60 * 60_000;
/** Transactions that were created before this time are archived. */
export const BEFORE = START - 365 * 24 * 60 * 60_000;

/** An empty database for an archive, of the same kind. */
export async function archiveDatabase(kind: Store['kind']): Promise<TestDatabase> {
  const database = await (kind === 'sqlite' ? sqliteDatabase() : postgresDatabase());
  await migrate(database.connect());
  return database;
}

export async function openArchiveFor(store: Store): Promise<Store> {
  return (await archiveDatabase(store.kind)).connect();
}

/** Moves what was created before BEFORE. */
export function archive(store: Store, target: Store) {
  return archiveTransactions(store, target, { before: BEFORE, now: START, name: 'the archive' });
}

/** Begins to archive, and is killed once the transactions are copied and before they are deleted: they are in both. */
export async function archiveInPart(store: Store, target: Store): Promise<void> {
  let units = 0;
  const unit: Store['unit'] = (...given) =>
    ++units === 2 ? Promise.reject(new Error('killed')) : store.unit(...given);
  await expect(archive({ ...store, unit }, target)).rejects.toThrow('killed');
}

/** Marks all webhooks as delivered. */
export async function deliverAll(store: Store): Promise<void> {
  await store.unit((db) =>
    db.run('update events set next_at = null, delivered_at = ? where next_at is not null', START),
  );
}

/** Old transactions in all states, and young ones. All webhooks are delivered. */
export async function addHistory(store: Store) {
  const merchant = await addMerchant(store);
  await fund(store, merchant, 1_000_000);
  const final = [
    await addPaymentAt(store, merchant, OLD, FAILED),
    await addPaymentAt(store, merchant, OLD, ...COLLECTED, SETTLED),
    await addPaymentAt(store, merchant, OLD + 1, ...COLLECTED, SETTLED),
    await addPayoutAt(store, merchant, OLD, PAID_OUT),
    await addPayoutAt(store, merchant, OLD, RELEASED),
  ];
  const open = [
    await addPaymentAt(store, merchant, OLD),
    await addPaymentAt(store, merchant, OLD, ...COLLECTED),
    await addPayoutAt(store, merchant, OLD),
  ];
  const young = [await addPaymentAt(store, merchant, START, ...COLLECTED, SETTLED)];
  await deliverAll(store);
  return { merchant, final, open, young };
}

export const TABLES = ['transactions', 'ledger_entries', 'events'] as const;

/** All rows of the tables, by id. */
export async function rowsOf(...stores: Store[]): Promise<Record<string, Row[]>> {
  const tables = await Promise.all(
    TABLES.map(async (table) => {
      const rows = await Promise.all(stores.map((store) => store.read.all(`select * from ${table}`)));
      return [table, rows.flat().sort((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1))] as const;
    }),
  );
  return Object.fromEntries(tables);
}

export async function idsIn(store: Store): Promise<string[]> {
  return (await store.read.all('select id from transactions order by id')).map(({ id }) => String(id));
}

/** Differences that the audits of both databases, and of one against the other, find. */
export async function differences(store: Store, target: Store): Promise<string[]> {
  const books = [...(await auditStore(store)).differences, ...(await auditStore(target)).differences];
  return [...books, ...(await auditArchive(store, target)).differences];
}

export async function expectBooksInOrder(store: Store, target: Store): Promise<void> {
  expect(await differences(store, target)).toEqual([]);
}
