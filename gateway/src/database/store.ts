/**
 * The database interface: statements and units of work, which are atomic. All drivers run the same SQL. Parameters are
 * written as `?` or `?1`. Row locks are removed on SQLite, which has one writer
 * (docs/decisions/0002-one-sql-for-two-databases.md), and in PostgreSQL's portable profile, which is serializable
 * (docs/decisions/0021-portable-profile.md). A unit must therefore be correct with row locks at read committed, and
 * without them at serializable.
 */
import type { KeyRing } from '../platform/key-ring.ts';

/** Units of work that may wait; more are refused as overload. */
export const QUEUE_MAX = 10_000;

export type Value = string | number | null;
export type Row = Record<string, Value>;

/**
 * A statement that writes a row, with a form for many rows: what many units of work write at once takes one statement.
 * `rowStatement()` makes both of one text.
 */
export interface RowStatement {
  /** The values of a row, in their order. */
  readonly columns: readonly (readonly [name: string, type: 'bigint' | 'text'])[];
  /** Writes one row. Its parameters are numbered as the columns are. */
  readonly one: string;
  /** Whether `one` returns the row that it has written. Otherwise the number of rows stands for it, as `changed`. */
  readonly returns: boolean;
  /**
   * Number of rows that it changes for each given row. If it would change fewer, SQLite undoes it, while PostgreSQL
   * leaves that to the unit, which must be rejected: a savepoint would cost it two round trips.
   */
  readonly exactly?: number;
  /**
   * Writes the rows of the table `given`, and returns the key of each with what `one` returns, or with `exactly` the key
   * and `changed`.
   */
  readonly many: string;
  readonly key: readonly string[];
  /** Whether rows of the same key add up. Otherwise the second is written after the first. */
  readonly adds: boolean;
  /** Whether it reads rows that other statements of the same turn write, and is sent after them. */
  readonly isLast?: boolean;
}

/** Runs statements, inside a unit of work or as a single read. */
export interface Database {
  /** Encrypt signing secrets and personal data. None unless the store was opened `withKeys`. */
  readonly keys: KeyRing;
  all(sql: string, ...values: Value[]): Promise<Row[]>;
  get(sql: string, ...values: Value[]): Promise<Row | undefined>;
  /** Returns the number of changed rows. */
  run(sql: string, ...values: Value[]): Promise<number>;
  /** Writes a row. Returns the statement's result for it, or undefined if it wasn't written. */
  write(statement: RowStatement, ...values: Value[]): Promise<Row | undefined>;
}

/** A condition in SQL, for statements that write only while it holds. */
export interface WriteCondition {
  readonly rule: ConditionRule;
  /** Values of `rule.columns`, in order. */
  readonly values: readonly Value[];
}

/** The requirement of a condition, independent of its values. */
export interface ConditionRule {
  /** Must differ from the column names of statements that include the condition. */
  readonly columns: RowStatement['columns'];
  /** The requirement, by the expression of each column. */
  readonly sql: (of: (column: string) => string) => string;
}

export const ALWAYS: WriteCondition = { rule: { columns: [], sql: () => '1 = 1' }, values: [] };

/**
 * An expected failure of a unit of work. Units return it instead of throwing, because on SQLite an error makes all
 * units of the commit run again, whereas a rejection before the first write is free.
 */
export class Rejection<Reason extends string = string> {
  readonly reason: Reason;
  constructor(reason: Reason) {
    this.reason = reason;
  }
}

export type Priority = 'caller' | 'background';

/** A table with rows that many units of work change. */
export interface ContendedTable {
  readonly name: string;
  readonly key: RowStatement['columns'];
  /** Every process locks the tables in this order, so that no two wait for each other. */
  readonly order: number;
  /** Whether units insert its rows, which can't be locked before. Then units begin in the order of the rows. */
  readonly isInserted?: boolean;
}

/** A row of such a table by its key. */
export interface ContendedRow {
  readonly table: ContendedTable;
  readonly key: readonly Value[];
}

export interface UnitOptions {
  /** A caller's by default. */
  readonly priority?: Priority | undefined;
  /**
   * Says that the unit may be committed together with others, and names the contended rows that it changes. On
   * PostgreSQL their statements are interleaved then, and each unit sees what the others have written. Such a unit must be
   * right nevertheless: what it decides from a row is checked by the statement that writes, or by a constraint.
   */
  readonly together?: readonly ContendedRow[] | undefined;
}

/** The state of a store in this process, for monitoring. */
export interface StoreMeter {
  /** Units of work that wait. */
  waiting(): number;
  /** Connections to a server. */
  readonly connections?: () => { readonly open: number; readonly idle: number; readonly max: number };
  /** Called with the number of units in each commit, from now on. */
  onCommit(listener: (units: number) => void): void;
  /** Sizes in bytes: of the database, and of its disk if it is local. */
  space(): Promise<{ readonly database: number; readonly disk?: { readonly free: number; readonly size: number } }>;
}

export interface Store {
  readonly kind: 'sqlite' | 'postgres';
  /** Whether other processes may write to the database, too. */
  readonly isShared: boolean;
  readonly meter?: StoreMeter;
  /** Reads what is committed. */
  readonly read: Database;
  /**
   * Runs a unit of work and resolves after its commit. If it throws or returns a Rejection, it is rolled back. A thrown
   * error rejects, a Rejection resolves. It may run more than once, so database work must be its only effect.
   * Background work yields to callers waiting for a response but is never starved.
   */
  unit<T>(work: (db: Database) => Promise<T>, options?: UnitOptions): Promise<T>;
  /** A unit of work whose statements may take as long as they need: a migration. */
  longUnit<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /**
   * Builds the index of a statement while others write to its table, where the database can. It is outside of any unit of work:
   * if it is interrupted, it is to be called again.
   */
  readonly buildIndex?: (statement: string) => Promise<void>;
  /** Runs reads on one snapshot, taken by the first of them. It holds a connection and delays vacuuming. */
  snapshot<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /**
   * Throws StoreUnavailable while the database is unreachable, damaged, or refuses writes. After a refused write, it
   * tries a no-op write.
   */
  ping(): Promise<void>;
  hasTable(name: string): Promise<boolean>;
  /**
   * Identifies the server, its timeline and the gateway's tables, so that a restored copy has another location. Undefined
   * where the server doesn't say it.
   */
  readonly location?: () => Promise<string | undefined>;
  /** The time of the database's server in milliseconds since 1970, where that may be another machine. */
  readonly serverTime?: () => Promise<number>;
  /** Closes after the started units. Idempotent. */
  close(): Promise<void>;
}

/**
 * Reasons for unavailability, used in metrics and logs. `sandbox_elsewhere` isn't a database error: another process
 * serves the sandbox.
 */
export const UNAVAILABLE_REASONS = [
  ...(['unreachable', 'overloaded', 'busy', 'disk_full', 'disk_failed', 'damaged', 'read_only'] as const),
  ...(['closed', 'sandbox_elsewhere'] as const),
] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

interface UnavailableOptions extends ErrorOptions {
  /** `unreachable` by default. */
  readonly reason?: UnavailableReason;
}

/** The database failed. The transaction was rolled back, or its outcome is unknown. */
export class StoreUnavailable extends Error {
  readonly reason: UnavailableReason;
  constructor(message: string, { reason = 'unreachable', ...options }: UnavailableOptions = {}) {
    super(message, options);
    this.name = 'StoreUnavailable';
    this.reason = reason;
  }
}

/** The database cannot be opened, and trying again doesn't help: the path, its permissions or its content are wrong. */
export class UnusableDatabase extends Error {}

/** The store with the keys that encrypt signing secrets and personal data in its rows. */
export function withKeys(store: Store, keys: KeyRing): Store {
  const keyed = (db: Database): Database => ({
    keys,
    all: (sql, ...values) => db.all(sql, ...values),
    get: (sql, ...values) => db.get(sql, ...values),
    run: (sql, ...values) => db.run(sql, ...values),
    write: (statement, ...values) => db.write(statement, ...values),
  });
  return {
    ...store,
    read: keyed(store.read),
    unit: (work, options) => store.unit((db) => work(keyed(db)), options),
    longUnit: (work) => store.longUnit((db) => work(keyed(db))),
    snapshot: (work) => store.snapshot((db) => work(keyed(db))),
  };
}

/** The store for background work. */
export function inBackground(store: Store): Store {
  return { ...store, unit: (work, options) => store.unit(work, { ...options, priority: 'background' }) };
}
