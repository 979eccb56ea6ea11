/**
 * Compares a database with an archive of it: every archived transaction is in one of them, and what is carried forward is
 * what the entries in the archive add up to. That the books of each are right is for the audit of each, which a gateway's
 * database and an archive both pass.
 */
import { isDeepStrictEqual } from 'node:util';
import { carriedForward } from '../books/audit-books.ts';
import { batches, placeholders } from '../engine/batches.ts';
import type { Database, Row, Store } from '../engine/store.ts';
import { type Archive, archiveOf, archivesOf, UnusableArchive } from './archives.ts';

export interface ArchiveAudit {
  readonly archive: Archive;
  /** Transactions that are only in the archive. */
  readonly archived: number;
  /** Transactions that are in both, since a run ended early. They count in the database only; the next run continues. */
  readonly inBoth: number;
  /** The differences, one line each. No more than the first thousand. */
  readonly differences: readonly string[];
  readonly found: number;
}

const BATCH_ROWS = 1_000;
const DIFFERENCES_MAX = 1_000;

/** Entries and amount by merchant, currency, reason and accounts. */
type Totals = Map<string, { entries: bigint; amount: bigint }>;

interface Sides {
  readonly live: Database;
  readonly archive: Database;
  readonly archiveId: string;
  readonly report: (difference: string) => void;
}

/** Compares the database with an archive of it, also while both are in use. Reads only. */
export async function auditArchive(source: Store, target: Store): Promise<ArchiveAudit> {
  const archive = await archiveOf(target.read);
  if (!archive) throw new UnusableArchive('it is not an archive');
  const differences: string[] = [];
  let found = 0;
  const report = (difference: string) => {
    found += 1;
    if (differences.length < DIFFERENCES_MAX) differences.push(difference);
  };
  // The database first: what is archived in between is in both then, and never in none.
  const counts = await source.snapshot((live) =>
    target.snapshot((db) => compare({ live, archive: db, archiveId: archive.id, report })),
  );
  return { archive, ...counts, differences, found };
}

async function compare(sides: Sides): Promise<{ archived: number; inBoth: number }> {
  const { live, archive, archiveId, report } = sides;
  if (!(await archivesOf(live)).some(({ id }) => id === archiveId)) report('nothing has been archived to it');
  const totals: Totals = new Map();
  for await (const row of carriedForward(live, ['archive_id = ?', archiveId])) addTo(totals, row, 1n);
  // Its accounts are the other way around.
  for await (const row of carriedForward(archive, ['archive_id = ?', archiveId])) addTo(totals, turned(row), -1n);
  const counts = await compareTransactions(sides, totals);
  await findMissing(sides);
  for (const [what, { entries, amount }] of totals) {
    if (entries === 0n && amount === 0n) continue;
    report(`${what}: what is carried forward exceeds the archive by ${entries} entries of ${amount} in all`);
  }
  return counts;
}

/** Each transaction of the archive: it must be archived, or be in the database as it is in the archive. */
async function compareTransactions(
  { live, archive, archiveId, report }: Sides,
  totals: Totals,
): Promise<{ archived: number; inBoth: number }> {
  let [archived, inBoth] = [0, 0];
  for (let after = '', more = true; more; ) {
    const batch = await archive.all(`select * from transactions where id > ? order by id limit ${BATCH_ROWS}`, after);
    const ids = batch.map((row) => String(row['id']));
    const orders = await rowsOf(live, 'archived_orders', 'transaction_id', ids);
    const present = await rowsOf(live, 'transactions', 'id', ids);
    for (const row of batch) {
      const id = String(row['id']);
      const order = orders.get(id);
      if (order && !present.has(id)) {
        archived += 1;
        for (const difference of orderDifferences(row, order, archiveId)) report(`transaction ${id}: ${difference}`);
      } else if (order) report(`transaction ${id}: it is archived, and in the database`);
      else if (isDeepStrictEqual({ ...present.get(id) }, { ...row })) {
        inBoth += 1;
        const entries = await archive.all('select * from ledger_entries where transaction_id = ?', id);
        for (const entry of entries) addTo(totals, { ...entry, entries: 1 }, 1n);
      } else report(`transaction ${id}: it is in the archive, but the database doesn't know it like that`);
    }
    more = batch.length === BATCH_ROWS;
    after = ids.at(-1) ?? '';
  }
  return { archived, inBoth };
}

function orderDifferences(row: Row, order: Row, archiveId: string): string[] {
  const expected = {
    merchant_id: row['merchant_id'],
    kind: row['kind'],
    order_id: row['order_id'],
    archive_id: archiveId,
  };
  return Object.entries(expected)
    .filter(([column, value]) => order[column] !== value)
    .map(([column, value]) => `${column} is ${order[column]}, the archive says ${value}`);
}

/** Each archived order: its transaction must be in the archive. */
async function findMissing({ live, archive, archiveId, report }: Sides): Promise<void> {
  for (let after = '', more = true; more; ) {
    const batch = await live.all(
      `select transaction_id from archived_orders where archive_id = ? and transaction_id > ?
       order by transaction_id limit ${BATCH_ROWS}`,
      ...[archiveId, after],
    );
    const ids = batch.map((row) => String(row['transaction_id']));
    const present = await rowsOf(archive, 'transactions', 'id', ids);
    for (const id of ids) if (!present.has(id)) report(`transaction ${id}: it is missing in the archive`);
    more = batch.length === BATCH_ROWS;
    after = ids.at(-1) ?? '';
  }
}

async function rowsOf(db: Database, table: string, key: string, ids: readonly string[]): Promise<Map<string, Row>> {
  const found = new Map<string, Row>();
  for (const batch of batches(ids)) {
    const rows = await db.all(`select * from ${table} where ${key} in (${placeholders(batch)})`, ...batch);
    for (const row of rows) found.set(String(row[key]), row);
  }
  return found;
}

function turned(row: Row): Row {
  return { ...row, from_account: row['to_account'] ?? null, to_account: row['from_account'] ?? null };
}

function addTo(totals: Totals, row: Row, sign: bigint): void {
  const key = `merchant ${row['merchant_id']} ${row['currency']}, ${row['reason']} from ${row['from_account']} to ${row['to_account']}`;
  const { entries, amount } = totals.get(key) ?? { entries: 0n, amount: 0n };
  totals.set(key, {
    entries: entries + sign * BigInt(String(row['entries'])),
    amount: amount + sign * BigInt(String(row['amount'])),
  });
}
