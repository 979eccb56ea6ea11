/**
 * The embedded store: node:sqlite with WAL and synchronous=FULL, so that a commit survives a power cut.
 * A commit costs a write to the disk whatever it holds; units of work that arrive together are therefore committed
 * together. Each runs in a savepoint, so that one that fails is rolled back alone.
 */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  type Database,
  type Priority,
  QUEUE_MAX,
  type Row,
  type Store,
  StoreUnavailable,
  type Value,
} from './store.ts';

/** Units in one commit: as many as take about a tenth of a second. */
const GROUP_MAX = 1_000;
/** While callers wait, a commit holds one unit of the background for as many of theirs. */
const CALLERS_PER_BACKGROUND = 4;

interface Unit {
  work: (db: Database) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Opens (and creates) the file; `:memory:` is not supported, since readers have a connection of their own.
 * More than `queueMax` units that wait for the next commit are overload.
 */
export function openSqlite(file: string, { queueMax = QUEUE_MAX } = {}): Store {
  const writer = connect(file);
  const reader = connect(file);
  const statements = new StatementCache(writer);
  const queues: Record<Priority, Unit[]> = { caller: [], background: [] };
  let running = false;
  let closed = false;

  const waiting = () => queues.caller.length + queues.background.length;

  function nextGroup(): Unit[] {
    const callers = queues.caller.splice(0, GROUP_MAX);
    const share = callers.length > 0 ? Math.ceil(callers.length / CALLERS_PER_BACKGROUND) : GROUP_MAX;
    return [...callers, ...queues.background.splice(0, share)];
  }

  function schedule(): void {
    if (running || waiting() === 0) return;
    running = true;
    setImmediate(() => {
      commitGroup(statements, nextGroup()).finally(() => {
        running = false;
        schedule();
      });
    });
  }

  return {
    kind: 'sqlite',
    read: new StatementCache(reader),
    unit<T>(work: (db: Database) => Promise<T>, priority: Priority = 'caller'): Promise<T> {
      if (closed) return Promise.reject(new StoreUnavailable('the store is closed'));
      if (queues[priority].length >= queueMax)
        return Promise.reject(new StoreUnavailable('too many units of work are waiting'));
      return new Promise<T>((resolve, reject) => {
        queues[priority].push({ work, resolve: resolve as (value: unknown) => void, reject });
        schedule();
      });
    },
    async close() {
      closed = true;
      while (running || waiting() > 0) await new Promise((resolve) => setImmediate(resolve));
      for (const db of [reader, writer]) if (db.isOpen) db.close();
    },
  };
}

async function commitGroup(db: StatementCache, units: Unit[]): Promise<void> {
  const settle: (() => void)[] = [];
  try {
    await db.run('begin immediate');
    for (const unit of units) settle.push(await runUnit(db, unit));
    await db.run('commit');
  } catch (error) {
    if (db.isTransaction) await db.run('rollback');
    const unavailable = new StoreUnavailable('the database could not write', { cause: error });
    for (const unit of units) unit.reject(unavailable);
    return;
  }
  for (const done of settle) done();
}

/** Runs a unit in its savepoint. Throws only when the whole group is lost, as when the disk is full. */
async function runUnit(db: StatementCache, unit: Unit): Promise<() => void> {
  await db.run('savepoint unit');
  try {
    const value = await unit.work(db);
    await db.run('release unit');
    return () => unit.resolve(value);
  } catch (error) {
    if (!db.isTransaction) throw error;
    await db.run('rollback to unit');
    await db.run('release unit');
    return () => unit.reject(error);
  }
}

function connect(file: string): DatabaseSync {
  // It holds signing secrets and personal data; SQLite gives its other files the same mode.
  closeSync(openSync(file, 'a', 0o600));
  const db = new DatabaseSync(file);
  // The time-out comes first: changing the journal's mode already waits for other processes.
  db.exec('pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
  return db;
}

/** Prepares each statement once. */
class StatementCache implements Database {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  constructor(db: DatabaseSync) {
    this.#db = db;
  }
  async all(sql: string, ...values: Value[]): Promise<Row[]> {
    return this.#prepare(sql).all(...values) as Row[];
  }
  async get(sql: string, ...values: Value[]): Promise<Row | undefined> {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }
  async run(sql: string, ...values: Value[]): Promise<number> {
    return Number(this.#prepare(sql).run(...values).changes);
  }
  get isTransaction(): boolean {
    return this.#db.isOpen && this.#db.isTransaction;
  }
  #prepare(sql: string): StatementSync {
    if (!this.#db.isOpen) throw new StoreUnavailable('the store is closed');
    let statement = this.#statements.get(sql);
    if (!statement) {
      // One writer only: there is nobody to lock a row against.
      statement = this.#db.prepare(sql.replace(/\bfor update( skip locked)?/g, ''));
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
