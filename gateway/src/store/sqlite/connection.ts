/** Connections to an SQLite file. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type Database, type Row, StoreUnavailable, type Value } from '../store.ts';
import type { SyncedLog } from './synced-log.ts';

/**
 * - The time-out comes first: changing the journal's mode already waits for other processes.
 * - With synchronous=NORMAL SQLite syncs the log before a checkpoint and the file after it; that of a commit is
 *   SyncedLog's.
 * - A checkpoint comes every 16 MiB of log, since a page that many commits have changed is then written back once.
 */
const SETTINGS = [
  'busy_timeout = 5000',
  'journal_mode = wal',
  'synchronous = normal',
  'foreign_keys = on',
  'wal_autocheckpoint = 4000',
];

/** A writer keeps pages of its own (48 MiB): those of the indexes whose entries come in no order, above all. */
const WRITING = ['cache_size = -49152'];

/**
 * A reader finds pages where the system keeps them (up to 2 GiB of the file) instead of copying them. Those that it has
 * touched count as memory of the process, and the system takes them back when it needs room. Its own are those that
 * are in the log only (8 MiB).
 */
const READING = ['mmap_size = 2147418112', 'cache_size = -8192'];

/** Opens a connection that writes. */
export function connect(file: string): DatabaseSync {
  return open(file, [...SETTINGS, ...WRITING]);
}

/** Opens a connection for reading. */
export function connectReader(file: string): DatabaseSync {
  return open(file, [...SETTINGS, ...READING]);
}

function open(file: string, settings: readonly string[]): DatabaseSync {
  const db = new DatabaseSync(file);
  try {
    for (const setting of settings) db.exec(`pragma ${setting}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A statement that writes and is read from. */
const RETURNING = /\breturning\b/;

/** Node knows it since 22.16. Before that SQLite tells, since it refuses a transaction within another. */
function hasTransaction(db: DatabaseSync): boolean {
  const known: boolean | undefined = db.isTransaction;
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
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();
  #rowsWritten = 0;
  #open = true;
  constructor(db: DatabaseSync) {
    this.#db = db;
  }
  /** Rows written so far. */
  get rowsWritten(): number {
    return this.#rowsWritten;
  }
  async all(sql: string, ...values: Value[]): Promise<Row[]> {
    const rows = this.prepare(sql).all(...values) as Row[];
    if (RETURNING.test(sql)) this.#rowsWritten += rows.length;
    return rows;
  }
  async get(sql: string, ...values: Value[]): Promise<Row | undefined> {
    const row = this.prepare(sql).get(...values) as Row | undefined;
    if (row && RETURNING.test(sql)) this.#rowsWritten += 1;
    return row;
  }
  async run(sql: string, ...values: Value[]): Promise<number> {
    const changes = Number(this.prepare(sql).run(...values).changes);
    this.#rowsWritten += changes;
    return changes;
  }
  /**
   * Copies what is in the log to the file, as far as nobody is in the way, and syncs it. After a crash the log may be in
   * the system's memory only, which no sync of it would tell: the system forgets that it could not write a page.
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
  protected prepare(sql: string): StatementSync {
    if (!this.#open) throw new StoreUnavailable('the store is closed');
    let statement = this.#prepared.get(sql);
    if (!statement) {
      // One writer only: there is nobody to lock a row against.
      statement = this.#db.prepare(sql.replace(/\bfor update( skip locked)?/g, ''));
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}

/**
 * Reads what is committed, and tells of it once it is on the disk. The reads of one turn of the event loop share a
 * transaction, since to begin and end one costs as much as to read a row.
 */
export class Reader extends Statements {
  readonly #log: SyncedLog;
  #begun = false;
  constructor(db: DatabaseSync, log: SyncedLog) {
    super(db);
    this.#log = log;
  }
  override async all(sql: string, ...values: Value[]): Promise<Row[]> {
    this.#begin();
    const rows = this.prepare(sql).all(...values) as Row[];
    if (this.#log.syncing) await this.#log.syncing;
    return rows;
  }
  override async get(sql: string, ...values: Value[]): Promise<Row | undefined> {
    this.#begin();
    const row = this.prepare(sql).get(...values) as Row | undefined;
    if (this.#log.syncing) await this.#log.syncing;
    return row;
  }
  /** Ends what was begun: later reads see what is committed by then. */
  refresh(): void {
    if (this.#begun && this.isTransaction) this.prepare('commit').run();
    this.#begun = false;
  }
  #begin(): void {
    if (this.#begun) return;
    this.prepare('begin').run();
    this.#begun = true;
    setImmediate(() => this.refresh());
  }
}
