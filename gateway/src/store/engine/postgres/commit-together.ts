/**
 * Commits units of work together, which costs one commit and takes each contended row once. Their statements are sent as
 * they come, without waiting for those of other units. If one unit fails, nothing is committed, and each unit runs alone.
 */

import type pg from 'pg';
import { batches } from '../batches.ts';
import { type WaitingRow, writeRows } from '../row-statement.ts';
import type { RowStatement } from '../store.ts';
import { type ContendedRow, type Database, Rejection, type Row, type Value } from '../store.ts';
import type { Unit } from '../unit-queue.ts';
import type { CommitCounts } from './meter.ts';
import { nextTick } from './next-tick.ts';
import { type TransactionKind, transact } from './transact.ts';
import { isBroken, translateError } from './translate-errors.ts';

export interface SharedUnit extends Unit {
  /** The contended rows that it changes. */
  readonly rows: readonly ContendedRow[];
}

interface Parts {
  readonly pool: pg.Pool;
  readonly kind: TransactionKind;
  /** Runs a unit in a transaction of its own. */
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
    const begin = () =>
      transact(
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
    const values = await commits.counted(units.length, begin);
    for (const [index, { resolve }] of units.entries()) resolve(values[index]);
  } catch (error) {
    // Without a connection none of them gets further, and after a commit nobody knows whether it has happened.
    if (committing || isBroken(error)) for (const { reject } of units) reject(translateError(error));
    // Not awaited: one may have to wait for a lock, and the units that come next don't wait for it.
    else for (const { work, resolve, reject } of units) void alone(work).then(resolve, reject);
  }
}

/** Nothing has been committed, and each unit has to be run alone. */
class SharedCommitAborted extends Error {}

/**
 * Runs the units at the same time. Throws if one of them throws, has a statement that failed, or is rejected after it has
 * written something.
 */
async function runAll(db: Database, units: readonly SharedUnit[]): Promise<unknown[]> {
  const wave = new StatementBatch(db);
  const outcomes = await Promise.allSettled(
    units.map(async ({ work }) => {
      const statements = new UnitStatements(db, wave);
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

/** The columns of each table's key. */
const KEYS: Readonly<Record<ContendedRow['table'], readonly [name: string, type: string][]>> = {
  wallets: [
    ['merchant_id', 'bigint'],
    ['currency', 'text'],
  ],
  customer_usage: [
    ['merchant_id', 'bigint'],
    ['kind', 'text'],
    ['customer_id', 'text'],
    ['currency', 'text'],
    ['period', 'text'],
  ],
};
/** Each process locks in this order, so that no two wait for each other. */
const ORDER = ['customer_usage', 'wallets'] as const satisfies readonly ContendedRow['table'][];

/**
 * A row that isn't there yet can't be locked. A customer's sums are inserted by the first statement of a unit, so many in
 * one statement and in their order. The units begin in this order, so that the statements come in it too.
 */
function inOrderOfInserts(units: readonly SharedUnit[]): SharedUnit[] {
  const sums = ({ rows }: SharedUnit) =>
    JSON.stringify(rows.find(({ table }) => table === 'customer_usage')?.key ?? '');
  return units
    .map((unit) => ({ unit, key: sums(unit) }))
    .sort((a, b) => Number(a.key > b.key) - Number(a.key < b.key))
    .map(({ unit }) => unit);
}

/** Locks the rows that other processes may want too. */
function lockRows(db: Database, units: readonly SharedUnit[]): Promise<unknown>[] {
  return ORDER.flatMap((table) => {
    const keys = new Map<string, readonly Value[]>();
    for (const { rows } of units)
      for (const row of rows) if (row.table === table) keys.set(JSON.stringify(row.key), row.key);
    const columns = KEYS[table];
    const names = columns.map(([name]) => name).join(', ');
    const marks = `(${columns.map(([, type]) => `cast(? as ${type})`).join(', ')})`;
    return [...batches([...keys.values()])].map((batch) =>
      db.all(
        `select 1 as one from ${table} where (${names}) in (${batch.map(() => marks).join(', ')})
         order by ${names} for update`,
        ...batch.flatMap((key) => key ?? columns.map(() => null)),
      ),
    );
  });
}

const RETURNING = /\breturning\b/;

/** The statements that the units of a transaction run in one turn of the event loop. */
class StatementBatch {
  readonly #db: Database;
  #writes = new Map<RowStatement, WaitingRow[]>();
  #reads = new Map<string, Promise<Row[]>>();
  constructor(db: Database) {
    this.#db = db;
  }
  /** Writes the row together with others. */
  write(statement: RowStatement, values: readonly Value[]): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#writes.size === 0) nextTick(() => this.#flush());
      const rows = this.#writes.get(statement) ?? [];
      this.#writes.set(statement, rows);
      rows.push({ values, resolve, reject });
    });
  }
  /** Reads once what several units read. */
  read(sql: string, values: readonly Value[]): Promise<Row[]> {
    const key = `${sql} ${JSON.stringify(values)}`;
    if (this.#reads.size === 0) nextTick(() => (this.#reads = new Map()));
    const read = this.#reads.get(key) ?? this.#db.all(sql, ...values);
    this.#reads.set(key, read);
    return read;
  }
  #flush(): void {
    const writes = this.#writes;
    this.#writes = new Map();
    // Wallets come before the entries that refer to them.
    for (const first of [true, false]) {
      for (const [statement, rows] of writes)
        if ((statement.adds === true) === first) writeRows(this.#db, statement, rows);
    }
  }
}

/** The statements of one unit; counts the rows that they write, and notes whether one has failed. */
class UnitStatements implements Database {
  readonly #db: Database;
  readonly #wave: StatementBatch;
  rowsWritten = 0;
  failed = false;
  constructor(db: Database, wave: StatementBatch) {
    this.#db = db;
    this.#wave = wave;
  }
  async all(sql: string, ...values: Value[]): Promise<Row[]> {
    if (!RETURNING.test(sql)) return this.#watched(this.#wave.read(sql, values));
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
    const row = await this.#watched(this.#wave.write(statement, values));
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
