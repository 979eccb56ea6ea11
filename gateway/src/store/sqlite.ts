/**
 * The embedded store: node:sqlite with WAL and synchronous=FULL, so that a commit survives a power cut.
 * A commit costs a write to the disk whatever it holds; units of work that arrive together are therefore committed
 * together. Each runs in a savepoint, so that one that fails is rolled back alone.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type Database, QUEUE_MAX, type Row, type Store, StoreUnavailable, type Value } from './store.ts';

/** Units in one commit: as many as take about a tenth of a second. */
const GROUP_MAX = 1_000;

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
  const queue: Unit[] = [];
  let running = false;
  let closed = false;

  function schedule(): void {
    if (running || queue.length === 0) return;
    running = true;
    setImmediate(() => {
      commitGroup(writer, statements, queue.splice(0, GROUP_MAX)).finally(() => {
        running = false;
        schedule();
      });
    });
  }

  return {
    kind: 'sqlite',
    read: new StatementCache(reader),
    unit<T>(work: (db: Database) => Promise<T>): Promise<T> {
      if (closed) return Promise.reject(new StoreUnavailable('the store is closed'));
      if (queue.length >= queueMax) return Promise.reject(new StoreUnavailable('too many units of work are waiting'));
      return new Promise<T>((resolve, reject) => {
        queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
        schedule();
      });
    },
    async close() {
      closed = true;
      while (running || queue.length > 0) await new Promise((resolve) => setImmediate(resolve));
      for (const db of [reader, writer]) if (db.isOpen) db.close();
    },
  };
}

async function commitGroup(writer: DatabaseSync, db: StatementCache, units: Unit[]): Promise<void> {
  const settle: (() => void)[] = [];
  try {
    writer.exec('begin immediate');
    for (const unit of units) settle.push(await runUnit(writer, db, unit));
    writer.exec('commit');
  } catch (error) {
    if (writer.isTransaction) writer.exec('rollback');
    const unavailable = new StoreUnavailable('the database could not write', { cause: error });
    for (const unit of units) unit.reject(unavailable);
    return;
  }
  for (const done of settle) done();
}

/** Runs a unit in its savepoint. Throws only when the whole group is lost, as when the disk is full. */
async function runUnit(writer: DatabaseSync, db: StatementCache, unit: Unit): Promise<() => void> {
  writer.exec('savepoint unit');
  try {
    const value = await unit.work(db);
    writer.exec('release unit');
    return () => unit.resolve(value);
  } catch (error) {
    if (!writer.isTransaction) throw error;
    writer.exec('rollback to unit');
    writer.exec('release unit');
    return () => unit.reject(error);
  }
}

function connect(file: string): DatabaseSync {
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
