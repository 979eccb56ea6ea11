/** The statements of SQLite, on any synchronous connection: Node's own, or the one compiled to WebAssembly. */
import { NO_KEYS } from '../../platform/key-ring.ts';
import { setImmediate } from '../../platform/timers.ts';
import { writeRow } from '../row-statement.ts';
import { withoutRowLocks } from '../sql.ts';
import { type Database, type Row, type RowStatement, StoreUnavailable, type Value } from '../store.ts';
import type { CommitLog } from './commit-log.ts';
import { translateError } from './translate-errors.ts';

/** A prepared statement. */
export interface SyncStatement {
  run(...values: Value[]): { readonly changes: number | bigint };
  all(...values: Value[]): unknown[];
  get(...values: Value[]): unknown;
}

/** A connection to a database. Its errors have SQLite's result code as `errcode`. */
export interface SyncConnection {
  prepare(sql: string): SyncStatement;
  exec(sql: string): void;
  close(): void;
  /** Whether a transaction has begun; undefined if the connection doesn't know. */
  readonly isTransaction: boolean | undefined;
}

/** A statement that writes and returns rows. */
const RETURNING = /\breturning\b/;

/** Node has the property since 22.16. Before that, SQLite shows it, since it refuses a transaction within another. */
function hasTransaction(db: SyncConnection): boolean {
  const known = db.isTransaction;
  if (known !== undefined) return known;
  try {
    db.exec('begin');
  } catch {
    return true;
  }
  db.exec('rollback');
  return false;
}

/** Prepares each statement once. */
export class Statements implements Database {
  readonly keys = NO_KEYS;
  readonly #db: SyncConnection;
  readonly #prepared = new Map<string, SyncStatement>();
  #rowsWritten = 0;
  #open = true;
  #damage: StoreUnavailable | undefined;
  constructor(db: SyncConnection) {
    this.#db = db;
  }
  /** Rows written so far. */
  get rowsWritten(): number {
    return this.#rowsWritten;
  }
  /** The first damage found. A damaged page stays so until a backup is restored. */
  get damage(): StoreUnavailable | undefined {
    return this.#damage;
  }
  async all(sql: string, ...values: Value[]): Promise<Row[]> {
    const rows = this.select(sql, values);
    if (RETURNING.test(sql)) this.#rowsWritten += rows.length;
    return rows;
  }
  async get(sql: string, ...values: Value[]): Promise<Row | undefined> {
    const row = this.selectOne(sql, values);
    if (row && RETURNING.test(sql)) this.#rowsWritten += 1;
    return row;
  }
  async run(sql: string, ...values: Value[]): Promise<number> {
    try {
      const changes = Number(this.prepare(sql).run(...values).changes);
      this.#rowsWritten += changes;
      return changes;
    } catch (error) {
      throw this.#noted(error);
    }
  }
  async write(statement: RowStatement, ...values: Value[]): Promise<Row | undefined> {
    const { exactly } = statement;
    if (exactly === undefined) return writeRow(this, statement, values);
    try {
      this.prepare('savepoint statement').run();
      const changed = Number(this.prepare(statement.one).run(...values).changes);
      if (changed === exactly) this.#rowsWritten += changed;
      else this.prepare('rollback to statement').run();
      this.prepare('release statement').run();
      return changed === exactly ? { changed } : undefined;
    } catch (error) {
      throw this.#noted(error);
    }
  }
  /**
   * Copies the log to the file, as far as no reader prevents it, and syncs the file. After a crash the log may be in the
   * system's memory only, and a sync of it would not show that: the system forgets that it could not write a page.
   */
  checkpoint(): void {
    this.#db.exec('pragma wal_checkpoint(passive)');
  }
  get isTransaction(): boolean {
    return this.#open && hasTransaction(this.#db);
  }
  close(): void {
    if (this.#open) this.#db.close();
    this.#open = false;
  }
  protected select(sql: string, values: readonly Value[]): Row[] {
    try {
      return this.prepare(sql).all(...values) as Row[];
    } catch (error) {
      throw this.#noted(error);
    }
  }
  protected selectOne(sql: string, values: readonly Value[]): Row | undefined {
    try {
      return this.prepare(sql).get(...values) as Row | undefined;
    } catch (error) {
      throw this.#noted(error);
    }
  }
  #noted(error: unknown): unknown {
    const translated = translateError(error);
    if (translated instanceof StoreUnavailable && translated.reason === 'damaged') this.#damage ??= translated;
    return translated;
  }
  protected prepare(sql: string): SyncStatement {
    if (!this.#open) throw new StoreUnavailable('the store is closed', { reason: 'closed' });
    let statement = this.#prepared.get(sql);
    if (!statement) {
      // There is one writer only, so that no row needs a lock.
      statement = this.#db.prepare(withoutRowLocks(sql));
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}

/**
 * Reads what is committed, and returns it once it is on the disk. The reads of one turn of the event loop share a
 * transaction, since beginning and ending one costs as much as reading a row.
 */
export class Reader extends Statements {
  readonly #log: CommitLog;
  #begun = false;
  constructor(db: SyncConnection, log: CommitLog) {
    super(db);
    this.#log = log;
  }
  override async all(sql: string, ...values: Value[]): Promise<Row[]> {
    this.#begin();
    const rows = this.select(sql, values);
    if (this.#log.syncing) await this.#log.syncing;
    return rows;
  }
  override async get(sql: string, ...values: Value[]): Promise<Row | undefined> {
    this.#begin();
    const row = this.selectOne(sql, values);
    if (this.#log.syncing) await this.#log.syncing;
    return row;
  }
  /** Ends the read transaction, so that later reads see newer commits. */
  refresh(): void {
    if (this.#begun && this.isTransaction) this.#end();
    this.#begun = false;
  }
  #end(): void {
    try {
      this.prepare('commit').run();
    } catch {
      // Ignores the error of an already reported read. No write is lost.
      if (this.isTransaction) this.prepare('rollback').run();
    }
  }
  #begin(): void {
    if (this.#begun) return;
    this.prepare('begin').run();
    this.#begun = true;
    setImmediate(() => this.refresh());
  }
}
