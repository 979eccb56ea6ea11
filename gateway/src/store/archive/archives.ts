/**
 * Archives: databases with the same tables as a gateway's, to which final transactions are moved. Nothing is deleted before
 * it has been read back from the archive, so a run can end at any moment and be repeated
 * (docs/decisions/0013-archives.md).
 */
import { isDeepStrictEqual } from 'node:util';
import { randomIds } from '../../platform/ids.ts';
import { modeOf, recordMode, WrongMode } from '../access/mode.ts';
import { placeholders } from '../engine/batches.ts';
import type { Database, Row, Store, Value } from '../engine/store.ts';
import {
  type ArchiveBatch,
  type ArchivedRows,
  carryForward,
  idOf,
  lockOutOf,
  oldTransactions,
  padToBatch,
  removeArchived,
} from './archive-source.ts';

export interface Archive {
  readonly id: string;
  readonly name: string;
  readonly isUnfinished: boolean;
}

/** The database can't be used as an archive; the message says why. */
export class UnusableArchive extends Error {}

export interface ArchiveRun {
  /** Transactions, and rows that belong to them. */
  readonly archived: number;
  readonly entries: number;
  readonly events: number;
  /** Old transactions that stay because something is left to do. */
  readonly open: number;
  /** The first of them, one line each. */
  readonly openListed: readonly string[];
  /** Transactions that stay because their entries aren't what they should be. */
  readonly wrong: readonly string[];
}

export interface ArchiveOptions {
  /** Transactions that were created before are archived. */
  readonly before: number;
  readonly now: number;
  /** Describes the archive, for people. */
  readonly name: string;
  /** Called after each batch, and waited for, so that others get their turn. */
  readonly onBatch?: (run: ArchiveRun) => Promise<void> | void;
}

const OPEN_LISTED_MAX = 20;

const NOTHING: ArchiveRun = { archived: 0, entries: 0, events: 0, open: 0, openListed: [], wrong: [] };

/** Counts the rows that a run would archive now. Changes nothing. */
export async function previewArchive(store: Store, before: number): Promise<ArchiveRun> {
  let run = NOTHING;
  for await (const batch of oldTransactions(store, before)) run = add(run, batch, batch.transactions.length);
  return run;
}

/** Moves old transactions with their entries and webhooks to the archive. Both databases may be in use. Throws CannotArchive. */
export async function archiveTransactions(
  source: Store,
  archive: Store,
  { before, now, name, onBatch = () => undefined }: ArchiveOptions,
): Promise<ArchiveRun> {
  lockOutOf(source);
  if (await isEmpty(source)) return NOTHING;
  const archiveId = await openArchive(source, archive, name, now);
  let run = NOTHING;
  for await (const batch of oldTransactions(source, before)) {
    let moved = 0;
    if (batch.transactions.length > 0) {
      await copy(archive, batch, await ownersOf(source.read, batch), archiveId);
      await requireCopies(archive, batch);
      moved = await removeArchived(source, batch.transactions, { archiveId, now });
    }
    run = add(run, batch, moved);
    await onBatch(run);
  }
  await source.unit((db) => db.run('update archives set is_unfinished = 0 where id = ?', archiveId));
  return run;
}

function add(run: ArchiveRun, batch: ArchiveBatch, moved: number): ArchiveRun {
  return {
    archived: run.archived + moved,
    entries: run.entries + batch.ledger_entries.length,
    events: run.events + batch.events.length,
    open: run.open + batch.open.length,
    openListed: [...run.openListed, ...batch.open].slice(0, OPEN_LISTED_MAX),
    wrong: [...run.wrong, ...batch.wrong],
  };
}

/** The archive that a database is, if it is one. */
export async function archiveOf(db: Database): Promise<Archive | undefined> {
  return (await archivesOf(db, 1))[0];
}

/** The archives that a database has been archived to. */
export async function archivesOf(db: Database, isSelf: 0 | 1 = 0): Promise<Archive[]> {
  const rows = await db.all(
    'select id, name, is_unfinished from archives where is_self = ? order by created_at, id',
    isSelf,
  );
  return rows.map((row) => ({
    id: idOf(row),
    name: String(row['name']),
    isUnfinished: row['is_unfinished'] === 1,
  }));
}

/**
 * Whether the database carries forward exactly the entries that are in an archive. Otherwise a run is under way or has ended
 * early, and some entries are in both.
 */
export async function carriesForwardAllOf(db: Database, archive: Database, archiveId: string): Promise<boolean> {
  const count = async (side: Database) => {
    const sql = 'select cast(coalesce(sum(entries), 0) as bigint) as entries from carried_forward where archive_id = ?';
    return (await side.get(sql, archiveId))?.['entries'];
  };
  return (await count(db)) === (await count(archive));
}

/** Makes an empty database an archive, or checks that it is one of this database. Returns its id. */
async function openArchive(source: Store, archive: Store, name: string, now: number): Promise<string> {
  if (await archiveOf(source.read)) throw new UnusableArchive('the database is an archive itself');
  // In this order: another run records the archive in itself, then here, and copies after that.
  const isNew = await isEmpty(archive);
  const known = await archivesOf(source.read);
  const found = await archiveOf(archive.read);
  if (!found && !isNew) throw new UnusableArchive('it is the database of a gateway, and not an archive');
  if (found && !isNew && !known.some(({ id }) => id === found.id))
    throw new UnusableArchive('it is the archive of another database');
  const unfinished = known.find(({ id, isUnfinished }) => isUnfinished && id !== found?.id);
  if (unfinished)
    throw new UnusableArchive(`the last run, to ${unfinished.name}, didn't end. Repeat it first, to the same archive`);
  await recordModeOf(source, archive);
  await archive.unit((db) => record(db, { id: randomIds.newId('arc', now), name, now, isSelf: 1 }));
  // Another run may have been first.
  const own = await archiveOf(archive.read);
  if (!own) throw new Error('the archive has not been recorded');
  await source.unit((db) => record(db, { id: own.id, name, now, isSelf: 0 }));
  return own.id;
}

/** An archive has the mode of its database, so that no sandbox starts on it. */
async function recordModeOf(source: Store, archive: Store): Promise<void> {
  const mode = await modeOf(source.read);
  if (!mode) return;
  await archive
    .unit((db) => recordMode(db, mode))
    .catch((error: unknown) => {
      throw error instanceof WrongMode ? new UnusableArchive(`${error.message}, unlike the archived one`) : error;
    });
}

/** Records an archive in itself, unless it is, or in the database where it comes from, as one with a run under way. */
async function record(
  db: Database,
  { id, name, now, isSelf }: { id: string; name: string; now: number; isSelf: 0 | 1 },
): Promise<void> {
  const values = [id, name, now, isSelf, 1 - isSelf];
  await db.run(
    `insert into archives (id, name, created_at, is_self, is_unfinished) values (?, ?, ?, ?, ?) on conflict do nothing`,
    ...values,
  );
  if (isSelf === 0) await db.run('update archives set name = ?, is_unfinished = 1 where id = ?', name, id);
}

async function isEmpty({ read }: Store): Promise<boolean> {
  return (await read.get('select 1 from merchants limit 1')) === undefined;
}

/** The rows that those of a batch refer to. */
async function ownersOf(
  db: Database,
  { transactions, ledger_entries }: ArchivedRows,
): Promise<{ merchants: Row[]; wallets: Row[] }> {
  const ids = padToBatch([...new Set(transactions.map((row) => String(row['merchant_id'])))]).map(
    (id) => id && Number(id),
  );
  const merchants = await db.all(`select * from merchants where id in (${placeholders(ids)})`, ...ids);
  const used = new Set(ledger_entries.map((row) => `${row['merchant_id']} ${row['currency']}`));
  const wallets = await db.all(`select * from wallets where merchant_id in (${placeholders(ids)})`, ...ids);
  const empty = { available: 0, pending: 0, reserved: 0 };
  return {
    merchants,
    wallets: wallets
      .filter((row) => used.has(`${row['merchant_id']} ${row['currency']}`))
      .map((row) => ({ ...row, ...empty })),
  };
}

/** Writes what is not in the archive yet. */
async function copy(
  archive: Store,
  batch: ArchivedRows,
  { merchants, wallets }: { merchants: readonly Row[]; wallets: readonly Row[] },
  archiveId: string,
): Promise<void> {
  const ids = batch.transactions.map(idOf);
  const values = padToBatch(ids);
  await archive.unit(async (db) => {
    // Another run would count the same entries.
    await db.get('select id from archives where is_self = 1 for update');
    const found = await db.all(`select id from transactions where id in (${placeholders(values)})`, ...values);
    const copied = new Set(found.map(idOf));
    const fresh = ids.filter((id) => !copied.has(id));
    await insert(db, 'merchants', merchants);
    await insert(db, 'wallets', wallets);
    await insert(
      db,
      'transactions',
      batch.transactions.filter((row) => !copied.has(idOf(row))),
    );
    const isFresh = (row: Row) => !copied.has(String(row['transaction_id']));
    await insert(db, 'ledger_entries', batch.ledger_entries.filter(isFresh));
    // After a run that ended early, a sandbox may have sent them again.
    await db.run(`delete from events where transaction_id in (${placeholders(values)})`, ...values);
    await insert(db, 'events', batch.events);
    // The other way around: the wallets of an archive are empty.
    await carryForward(db, archiveId, fresh, 'to_account, from_account');
  });
}

/** Rows that a statement inserts: few sizes, so that there are few statements to prepare. */
const INSERT_SIZES = [64, 8, 1];

async function insert(db: Database, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const places = `(${placeholders(columns)})`;
  for (let start = 0; start < rows.length; ) {
    const size = INSERT_SIZES.find((candidate) => candidate <= rows.length - start) ?? 1;
    const values = rows.slice(start, start + size).flatMap((row) => columns.map((column) => row[column] as Value));
    await db.run(
      `insert into ${table} (${columns.join(', ')}) values ${Array(size).fill(places).join(', ')} on conflict do nothing`,
      ...values,
    );
    start += size;
  }
}

/** Reads what was written back, and throws unless it is what is to be deleted. */
async function requireCopies(archive: Store, batch: ArchivedRows): Promise<void> {
  const ids = padToBatch(batch.transactions.map(idOf));
  for (const [table, column] of [
    ['transactions', 'id'],
    ['ledger_entries', 'transaction_id'],
    ['events', 'transaction_id'],
  ] as const) {
    const rows = await archive.read.all(`select * from ${table} where ${column} in (${placeholders(ids)})`, ...ids);
    const byId = new Map(rows.map((row) => [idOf(row), row]));
    const different = batch[table].find((row) => !isDeepStrictEqual({ ...byId.get(idOf(row)) }, { ...row }));
    if (different || rows.length !== batch[table].length) {
      const which = different ? ` such as ${idOf(different)}` : '';
      throw new UnusableArchive(`it has other ${table} than the database for the same transactions${which}`);
    }
  }
}
