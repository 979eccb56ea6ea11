/** How a group of units of work is committed to SQLite. */

import { type Database, Rejection, StoreUnavailable } from '../store.ts';
import type { Reader, Statements } from './connection.ts';
import type { SyncedLog } from './synced-log.ts';

export interface Unit {
  readonly work: (db: Database) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Parts {
  readonly writer: Statements;
  readonly reader: Reader;
  readonly log: SyncedLog;
}

/** What tells a unit how it went. */
type Settle = () => void;

/** Runs the units in one transaction, and tells each of them how it went once that is on the disk. It never rejects. */
export async function commitGroup(parts: Parts, units: readonly Unit[]): Promise<void> {
  let settle: Settle[];
  try {
    parts.log.requireSound();
    await begin(parts);
    settle = (await runTogether(parts, units)) ?? (await runApart(parts, units));
    await parts.log.sync();
  } catch (error) {
    const unavailable = new StoreUnavailable('the database could not write', { cause: error });
    for (const unit of units) unit.reject(unavailable);
    return;
  }
  for (const done of settle) done();
}

/** Waits while another process writes; when that takes too long, no other try is worth as long again. */
async function begin({ writer }: Parts): Promise<void> {
  await writer.run('begin immediate');
}

/** A unit has written something before it was rejected. */
class UndoNeeded extends Error {}

/**
 * Commits the units as one. Returns nothing, with all of them undone, when one of them throws, or is rejected after it
 * has written something.
 */
async function runTogether(parts: Parts, units: readonly Unit[]): Promise<Settle[] | undefined> {
  try {
    return await commitAfter(parts, units, async (db, { work, resolve }) => {
      const { rowsWritten } = db;
      const value = await work(db);
      if (value instanceof Rejection && db.rowsWritten > rowsWritten) throw new UndoNeeded();
      return () => resolve(value);
    });
  } catch {
    return undefined;
  }
}

/**
 * Commits the units with a savepoint for each, so that one that fails is undone alone. A savepoint copies every page
 * that is changed in it, which is why this is the second try only. Throws when the whole group is lost, as when the
 * disk is full.
 */
async function runApart(parts: Parts, units: readonly Unit[]): Promise<Settle[]> {
  await begin(parts);
  return commitAfter(parts, units, async (db, { work, resolve, reject }) => {
    await db.run('savepoint unit');
    try {
      const value = await work(db);
      if (value instanceof Rejection) await db.run('rollback to unit');
      await db.run('release unit');
      return () => resolve(value);
    } catch (error) {
      if (!db.isTransaction) throw error;
      await db.run('rollback to unit');
      await db.run('release unit');
      return () => reject(error);
    }
  });
}

/** Runs the units in the transaction that has begun, and commits it. */
async function commitAfter(
  { writer, reader }: Parts,
  units: readonly Unit[],
  run: (db: Statements, unit: Unit) => Promise<Settle>,
): Promise<Settle[]> {
  try {
    const settle: Settle[] = [];
    for (const unit of units) settle.push(await run(writer, unit));
    // Also lets the log be emptied, which it cannot while somebody reads from it.
    reader.refresh();
    await writer.run('commit');
    return settle;
  } catch (error) {
    if (writer.isTransaction) await writer.run('rollback');
    throw error;
  }
}
