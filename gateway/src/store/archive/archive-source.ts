/** The database that transactions are archived from: what can be archived, and its removal once it is in the archive. */
import { setTimeout as pause } from 'node:timers/promises';
import { isFinal } from '../../domain/transaction.ts';
import { firstId, type IdPrefix } from '../../platform/ids.ts';
import { differencesOf } from '../books/audit-books.ts';
import { parseTransaction } from '../books/transactions.ts';
import { placeholders } from '../engine/batches.ts';
import { type Database, LockTimeout, type Row, type Store } from '../engine/store.ts';

/** Transactions that are archived together. */
export const BATCH_SIZE = 64;
const PREFIXES = ['pay', 'out'] as const satisfies IdPrefix[];
/** Creations wait behind a lock that waits, so it waits for this long at most. */
const LOCK_MS = 200;
/** Vacuuming the order ids, which may take minutes, keeps the lock from being had. */
const LOCK_ATTEMPTS = 600;
const LOCK_PAUSE_MS = 1_000;

/** Rows of the same names as in the archive. */
export interface ArchivedRows {
  readonly transactions: readonly Row[];
  readonly ledger_entries: readonly Row[];
  readonly events: readonly Row[];
}

export interface ArchiveBatch extends ArchivedRows {
  /** Old transactions that stay: those with something left to do, one line each. */
  readonly open: readonly string[];
  /** Transactions whose entries aren't what they should be, one line each. They stay too. */
  readonly wrong: readonly string[];
}

/** Goes through the old transactions, in batches of those that can be archived. */
export async function* oldTransactions(store: Store, before: number): AsyncGenerator<ArchiveBatch> {
  for (const prefix of PREFIXES) {
    for (let after: string | undefined = prefix; after !== undefined; ) {
      const range: readonly [string, string] = [after, firstId(prefix, before)];
      // One moment for the transactions and what belongs to them, since another run may delete them.
      const { batch, last } = await store.snapshot((db) => nextBatch(db, range));
      if (batch) yield batch;
      after = last;
    }
  }
}

/** The next old transactions, and the id after which to continue; undefined after the last. */
async function nextBatch(
  db: Database,
  [after, end]: readonly [string, string],
): Promise<{ batch: ArchiveBatch | undefined; last: string | undefined }> {
  const rows = await db.all(
    `select * from transactions where id > ? and id < ? order by id limit ${BATCH_SIZE}`,
    ...[after, end],
  );
  const last = rows[BATCH_SIZE - 1]?.['id'];
  return {
    batch: rows.length > 0 ? await batchOf(db, rows) : undefined,
    last: last === undefined ? undefined : String(last),
  };
}

async function batchOf(db: Database, rows: readonly Row[]): Promise<ArchiveBatch> {
  const ids = padToBatch(rows.map(idOf));
  const ofTransactions = `where transaction_id in (${placeholders(ids)})`;
  const entries = await db.all(`select * from ledger_entries ${ofTransactions} order by id`, ...ids);
  const events = await db.all(`select * from events ${ofTransactions} order by id`, ...ids);
  const kept = await keptIds(db, ids);
  const finished = rows.filter((row) => !kept.has(idOf(row)) && isFinished(row));
  const wrong = finished.flatMap((row) => {
    const own = entries.filter((entry) => entry['transaction_id'] === row['id']);
    return differencesOf(row, own).map((difference) => `transaction ${idOf(row)}: ${difference}`);
  });
  const transactions = finished.filter((row) => !wrong.some((line) => line.startsWith(`transaction ${idOf(row)}: `)));
  const archived = new Set(transactions.map(idOf));
  const isArchived = (row: Row) => archived.has(String(row['transaction_id']));
  return {
    transactions,
    ledger_entries: entries.filter(isArchived),
    events: events.filter(isArchived),
    open: rows.filter((row) => !finished.includes(row)).map((row) => describeOpen(row, kept)),
    wrong,
  };
}

function describeOpen(row: Row, kept: ReadonlySet<string>): string {
  const id = idOf(row);
  const left = kept.has(id)
    ? 'a webhook waits, or its URL is stopped'
    : row['next_attempt_at'] === null
      ? 'it is not final'
      : 'a step is due';
  return `${id}  ${row['status']}  ${left}`;
}

/** Whether nothing is left to do: what succeeded is settled too. */
function isFinished(row: Row): boolean {
  if (row['next_attempt_at'] !== null) return false;
  try {
    return isFinal(parseTransaction(row).status);
  } catch {
    // The audit finds it.
    return false;
  }
}

/** Transactions of which a webhook waits, or has stopped a URL. */
async function keptIds(db: Database, ids: readonly (string | null)[]): Promise<Set<string>> {
  const rows = await db.all(
    `select e.transaction_id from events e where e.transaction_id in (${placeholders(ids)})
     and (e.next_at is not null or exists (select 1 from stopped_urls s where s.event_id = e.id))`,
    ...ids,
  );
  return new Set(rows.map((row) => String(row['transaction_id'])));
}

/** The database can't be archived, since it can't keep creations out of a table. */
export class CannotArchive extends Error {}

/** Returns the store's lock of a table. Throws CannotArchive if it has none. */
export function lockOutOf({ lockOut }: Store): NonNullable<Store['lockOut']> {
  if (lockOut) return lockOut;
  throw new CannotArchive('the database locks no tables');
}

/**
 * Deletes transactions that are in the archive, and keeps their order ids and what their entries add up to. Leaves out
 * those that have changed since they were read. Returns how many it has deleted.
 */
export async function removeArchived(
  store: Store,
  rows: readonly Row[],
  { archiveId, now }: { readonly archiveId: string; readonly now: number },
): Promise<number> {
  const lockOut = lockOutOf(store);
  for (let attempt = 1; ; attempt++) {
    try {
      return await store.unit(async (db) => {
        // A creation that has looked for an archived order before this unit is committed could otherwise be written after
        // the transaction of the order has been deleted.
        await lockOut(db, 'archived_orders', LOCK_MS);
        return remove(db, rows, { archiveId, now });
      });
    } catch (error) {
      if (!(error instanceof LockTimeout) || attempt === LOCK_ATTEMPTS) throw error;
      await pause(LOCK_PAUSE_MS);
    }
  }
}

async function remove(
  db: Database,
  rows: readonly Row[],
  { archiveId, now }: { readonly archiveId: string; readonly now: number },
): Promise<number> {
  const wanted = padToBatch(rows.map(idOf));
  const present = await db.all(
    `select id, version from transactions where id in (${placeholders(wanted)}) order by id for update`,
    ...wanted,
  );
  const versions = new Map(present.map((row) => [idOf(row), row['version']]));
  // A sandbox may have sent an event again meanwhile.
  const kept = await keptIds(db, wanted);
  const ids = rows.filter((row) => versions.get(idOf(row)) === row['version'] && !kept.has(idOf(row))).map(idOf);
  if (ids.length === 0) return 0;
  const values = padToBatch(ids);
  await db.run(
    `insert into archived_orders (merchant_id, kind, order_id, transaction_id, archive_id, archived_at)
     select merchant_id, kind, order_id, id, cast(? as text), cast(? as bigint) from transactions
     where id in (${placeholders(values)})`,
    ...[archiveId, now, ...values],
  );
  await carryForward(db, archiveId, ids);
  for (const table of ['events', 'ledger_entries'])
    await db.run(`delete from ${table} where transaction_id in (${placeholders(values)})`, ...values);
  await db.run(`delete from transactions where id in (${placeholders(values)})`, ...values);
  return ids.length;
}

/** Adds the entries of transactions to what is carried forward, or in the archive itself, takes it back. */
export async function carryForward(
  db: Database,
  archiveId: string,
  transactionIds: readonly string[],
  accounts = 'from_account, to_account',
): Promise<void> {
  const ids = padToBatch(transactionIds);
  await db.run(
    `insert into carried_forward (archive_id, merchant_id, currency, reason, from_account, to_account, entries, amount)
     select cast(? as text), merchant_id, currency, reason, ${accounts}, count(*), cast(sum(amount) as bigint)
     from ledger_entries where transaction_id in (${placeholders(ids)})
     group by merchant_id, currency, reason, from_account, to_account order by 1, 2, 3, 4, 5, 6
     on conflict (archive_id, merchant_id, currency, reason, from_account, to_account) do update
     set entries = carried_forward.entries + excluded.entries, amount = carried_forward.amount + excluded.amount`,
    ...[archiveId, ...ids],
  );
}

export function idOf(row: Row): string {
  return String(row['id']);
}

/** As many values as a batch has, so that there are few statements to prepare. */
export function padToBatch(ids: readonly string[]): (string | null)[] {
  return Array.from({ length: Math.max(BATCH_SIZE, ids.length) }, (_, index) => ids[index] ?? null);
}
