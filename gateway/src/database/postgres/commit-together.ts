/**
 * Group commit: runs units of work in one transaction, which costs one commit and locks each contended row once.
 * Statements are sent as they arrive, without waiting for other units. If one unit fails, the group is rolled back and
 * each unit runs separately.
 */

import type pg from 'pg';
import { NO_KEYS } from '../../platform/key-ring.ts';
import { givenRows } from '../row-statement.ts';
import {
  type ContendedRow,
  type ContendedTable,
  type Database,
  Rejection,
  type Row,
  type RowStatement,
  type StoreMeter,
  type Value,
} from '../store.ts';
import type { Unit } from '../unit-queue.ts';
import { isBroken, isConflict, repeatConflicts, translateError } from './errors.ts';
import { transposeRows } from './statement-batch.ts';
import { type PostgresConnection, type TransactionOptions, transact } from './transact.ts';

export interface SharedUnit extends Unit {
  /** The contended rows that it changes. */
  readonly rows: readonly ContendedRow[];
}

interface Parts {
  readonly pool: pg.Pool;
  readonly kind: TransactionOptions;
  /** Runs a unit in a separate transaction. */
  readonly alone: <T>(work: (db: Database) => Promise<T>) => Promise<T>;
  readonly commits: CommitCounts;
}

/** Runs the units and settles each, some of them later. It never rejects. */
export async function commitTogether(
  { pool, kind, alone, commits }: Parts,
  waiting: readonly SharedUnit[],
): Promise<void> {
  const units = inOrderOfInserts(waiting);
  const [first, ...others] = units;
  let committing = false;
  try {
    if (!first || others.length === 0) throw new SharedCommitAborted();
    const begin = () => {
      committing = false;
      return transact(
        pool,
        async (db) => {
          // The server runs what is sent first before the rest. If it fails, all that follows fails too.
          const locked = Promise.allSettled(lockRows(db, units));
          const done = await runAll(db, units);
          await locked;
          committing = true;
          return done;
        },
        kind,
      );
    };
    const values = await commits.track(units.length, () => repeatConflicts(begin, kind.attempts));
    for (const [index, { resolve }] of units.entries()) resolve(values[index]);
  } catch (error) {
    // Without a connection no unit can continue. After a commit fails for another reason than a conflict, its outcome
    // is unknown.
    if ((committing && !isConflict(error)) || isBroken(error))
      for (const { reject } of units) reject(translateError(error));
    // Not awaited: one may have to wait for a lock, and the units that come next don't wait for it.
    else for (const { work, resolve, reject } of units) void alone(work).then(resolve, reject);
  }
}

/** The group was rolled back, and each unit must run separately. */
class SharedCommitAborted extends Error {}

/**
 * Runs the units at the same time. Throws if one of them throws, has a statement that failed, or is rejected after it has
 * written something.
 */
async function runAll(db: PostgresConnection, units: readonly SharedUnit[]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(
    units.map(async ({ work }) => {
      const statements = new UnitStatements(db);
      const value = await work(statements);
      if (statements.failed || (value instanceof Rejection && statements.rowsWritten > 0))
        throw new SharedCommitAborted();
      return value;
    }),
  );
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

/** The statements that lock the rows whose keys are given. */
const LOCKS = new Map<ContendedTable, string>();

function lockStatement(table: ContendedTable): string {
  const known = LOCKS.get(table);
  if (known !== undefined) return known;
  const { name, key } = table;
  const columns = key.map(([column]) => column);
  const same = columns.map((column) => `${name}.${column} = given.${column}`).join(' and ');
  const lock = `with given (${columns.join(', ')}) as (${givenRows(key)})
    select 1 as one from given join ${name} on ${same}
    order by ${columns.map((column) => `${name}.${column}`).join(', ')} for update of ${name}`;
  LOCKS.set(table, lock);
  return lock;
}

/**
 * Rows to be inserted can't be locked. They are inserted by each unit's first statement, in batches and in key order.
 * Units start in that order too, so that their statements arrive in order.
 */
function inOrderOfInserts(units: readonly SharedUnit[]): SharedUnit[] {
  const firstInserted = ({ rows }: SharedUnit) => JSON.stringify(rows.find(({ table }) => table.isInserted)?.key ?? '');
  return units
    .map((unit) => ({ unit, key: firstInserted(unit) }))
    .sort((a, b) => Number(a.key > b.key) - Number(a.key < b.key))
    .map(({ unit }) => unit);
}

/** Locks the rows that other processes may want too. */
function lockRows(db: PostgresConnection, units: readonly SharedUnit[]): Promise<unknown>[] {
  const rows = units.flatMap((unit) => unit.rows);
  const tables = [...new Set(rows.map(({ table }) => table))].sort((a, b) => a.order - b.order);
  return tables.map((table) => {
    const own = rows.filter((row) => row.table === table);
    const keys = new Map(own.map(({ key }) => [JSON.stringify(key), key]));
    return db.all(lockStatement(table), ...transposeRows(table.key.length, [...keys.values()]));
  });
}

const RETURNING = /\breturning\b/;

/** The statements of one unit; counts the rows that they write, and notes whether one has failed. */
class UnitStatements implements Database {
  readonly keys = NO_KEYS;
  readonly #db: PostgresConnection;
  rowsWritten = 0;
  failed = false;
  constructor(db: PostgresConnection) {
    this.#db = db;
  }
  async all(sql: string, ...values: Value[]): Promise<Row[]> {
    if (!RETURNING.test(sql)) return this.#watched(this.#db.readOnce(sql, values));
    const rows = await this.#watched(this.#db.all(sql, ...values));
    this.rowsWritten += rows.length;
    return rows;
  }
  async get(sql: string, ...values: Value[]): Promise<Row | undefined> {
    return (await this.all(sql, ...values))[0];
  }
  async run(sql: string, ...values: Value[]): Promise<number> {
    const changed = await this.#watched(this.#db.run(sql, ...values));
    this.rowsWritten += changed;
    return changed;
  }
  async write(statement: RowStatement, ...values: Value[]): Promise<Row | undefined> {
    const row = await this.#watched(this.#db.write(statement, ...values));
    if (row) this.rowsWritten += 1;
    return row;
  }
  async #watched<T>(result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (error) {
      this.failed = true;
      throw error;
    }
  }
}

/** Tells a listener about each commit. */
export class CommitCounts {
  #listener: ((units: number) => void) | undefined;

  listen(listener: (units: number) => void): void {
    this.#listener = listener;
  }

  /** Runs a transaction with this number of units. */
  async track<T>(units: number, transaction: () => Promise<T>): Promise<T> {
    const value = await transaction();
    this.#listener?.(units);
    return value;
  }
}

interface Metered {
  readonly pool: pg.Pool;
  readonly max: number;
  readonly read: Database;
  readonly commits: CommitCounts;
  /** Units that wait for anything but a connection. */
  readonly waiting: () => number;
}

export function createMeter({ pool, max, read, commits, waiting }: Metered): StoreMeter {
  return {
    waiting: () => pool.waitingCount + waiting(),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, max }),
    onCommit: (listener) => commits.listen(listener),
    space: async () => ({
      database: Number((await read.get('select pg_database_size(current_database()) as size'))?.['size']),
    }),
  };
}
