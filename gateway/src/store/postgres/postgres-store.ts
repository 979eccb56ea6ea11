/**
 * The shared store: any number of gateway processes on one PostgreSQL. A unit of work is a transaction on a connection
 * of its own. It is retried after a serialization failure or a deadlock.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import {
  type Database,
  type Priority,
  QUEUE_MAX,
  Rejection,
  type Row,
  type Store,
  StoreUnavailable,
  type Value,
} from '../store.ts';
import { BatchedReads } from './batched-reads.ts';
import { ConnectionQueue, ROUND_TRIPS } from './connection-queue.ts';
import { isBroken, translateError } from './translate-errors.ts';

/** Serialization failure and deadlock: nothing has been committed, and retrying helps. */
const RETRIED = new Set(['40001', '40P01']);
const RETRIES_MAX = 5;
/**
 * Limits for every wait, in milliseconds. A server that vanishes leaves connections that look alive, and a process that
 * is paused in the middle of a unit holds locks that others wait for.
 */
const TIME_LIMITS = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 10_000,
  statement_timeout: 8_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 5_000,
};

interface TransactionKind {
  readonly begin: string;
  /** Milliseconds that a statement may take, in place of TIME_LIMITS.query_timeout. */
  readonly query_timeout?: number;
}

const WRITING: TransactionKind = { begin: 'begin read write' };
/** All reads see the same. */
const SNAPSHOT: TransactionKind = { begin: 'begin isolation level repeatable read read only' };
/** The longest that a timer takes: 24 days. */
const UNHURRIED: TransactionKind = { begin: 'begin read write', query_timeout: 2 ** 31 - 1 };

// Amounts and times fit a number: the contract keeps amounts at or under 2^53 - 1.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface PostgresOptions {
  /** Connections. */
  readonly max?: number;
  /** Units of work and reads that may wait for a connection; more are refused as overload. */
  readonly queueMax?: number;
  /** Milliseconds. */
  readonly timeLimits?: Partial<typeof TIME_LIMITS>;
}

/** Connects lazily. */
export function openPostgres(url: string, { max = 10, queueMax = QUEUE_MAX, timeLimits }: PostgresOptions = {}): Store {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    keepAlive: true,
    pipeline: true,
    onConnect: writeInTransactionsOnly,
    ...TIME_LIMITS,
    ...timeLimits,
  });
  // The pool replaces a broken connection. Without listeners, its error would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const begun = new Set<Promise<unknown>>();
  const queue = new ConnectionQueue(max);
  const reads = new BatchedReads(pool, isBroken);
  let closed: Promise<void> | undefined;

  function admit(): void {
    if (closed) throw new StoreUnavailable('the store is closed');
    if (pool.waitingCount + queue.waiting >= queueMax) throw new StoreUnavailable('too many units of work are waiting');
  }

  const read = new Connection((query) => {
    admit();
    return queue.run('caller', ROUND_TRIPS.read, () => reads.query(query));
  });

  function track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => begun.delete(tracked));
    begun.add(tracked);
    return tracked;
  }

  return {
    kind: 'postgres',
    read,
    async unit<T>(work: (db: Database) => Promise<T>, priority: Priority = 'caller'): Promise<T> {
      admit();
      return track(queue.run(priority, ROUND_TRIPS.unit, () => transactAgain(pool, work, WRITING)));
    },
    async unhurriedUnit<T>(work: (db: Database) => Promise<T>): Promise<T> {
      admit();
      const unlimited = async (db: Database) => {
        await db.run('set local statement_timeout = 0');
        return work(db);
      };
      return track(transactAgain(pool, unlimited, UNHURRIED));
    },
    async snapshot<T>(work: (db: Database) => Promise<T>): Promise<T> {
      admit();
      return track(transactAgain(pool, work, SNAPSHOT));
    },
    async ping() {
      await read.get('select 1');
    },
    async hasTable(name) {
      return (await read.get('select to_regclass(?) as found', name))?.['found'] !== null;
    },
    async serverTime() {
      const row = await read.get('select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as ms');
      return Number(row?.['ms']);
    },
    close() {
      // The pool would never settle units that are still waiting for a connection.
      closed ??= Promise.allSettled(begun).then(() => pool.end());
      return closed;
    },
  };
}

async function transactAgain<T>(pool: pg.Pool, work: (db: Database) => Promise<T>, kind: TransactionKind): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact(pool, work, kind);
    } catch (error) {
      if (!RETRIED.has((error as { code?: string }).code ?? '')) throw translateError(error);
      if (attempt >= RETRIES_MAX) throw new StoreUnavailable('the database is too busy', { cause: error });
    }
  }
}

async function transact<T>(
  pool: pg.Pool,
  work: (db: Database) => Promise<T>,
  { begin, ...settings }: TransactionKind,
): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    // Not awaited, so that the first statement follows in the same packet. If it fails, every write fails too.
    const begun = client.query(begin);
    begun.catch(() => undefined);
    const value = await work(new Connection((query) => client.query({ ...query, ...settings })));
    await begun;
    if (value instanceof Rejection) {
      await client.query('rollback');
      return value;
    }
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error('a unit of work continued after one of its statements had failed');
    return value;
  } catch (error) {
    if (isBroken(error)) broken = true;
    else await client.query('rollback').catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** After a `begin` that failed, a statement must not become a transaction of its own. */
async function writeInTransactionsOnly(client: pg.ClientBase): Promise<void> {
  await client.query('set default_transaction_read_only = on');
}

class Connection implements Database {
  readonly #query: (query: pg.QueryConfig) => Promise<pg.QueryResult<Row>>;
  constructor(query: (query: pg.QueryConfig) => Promise<pg.QueryResult<Row>>) {
    this.#query = query;
  }
  async all(sql: string, ...values: Value[]): Promise<Row[]> {
    return (await this.#run(sql, values)).rows;
  }
  async get(sql: string, ...values: Value[]): Promise<Row | undefined> {
    return (await this.#run(sql, values)).rows[0];
  }
  async run(sql: string, ...values: Value[]): Promise<number> {
    return (await this.#run(sql, values)).rowCount ?? 0;
  }
  async runExactly(rows: number, sql: string, ...values: Value[]): Promise<boolean> {
    return (await this.run(sql, ...values)) === rows;
  }
  async #run(sql: string, values: Value[]): Promise<pg.QueryResult<Row>> {
    try {
      return await this.#query({ ...prepared(sql), values });
    } catch (error) {
      throw translateError(error);
    }
  }
}

const PREPARED = new Map<string, { name: string; text: string }>();

/** The statement with numbered parameters, and a name under which the server caches its plan. */
function prepared(sql: string): { name: string; text: string } {
  let statement = PREPARED.get(sql);
  if (!statement) {
    let index = 0;
    const name = createHash('sha256').update(sql).digest('hex').slice(0, 32);
    statement = { name, text: sql.replaceAll('?', () => `$${++index}`) };
    PREPARED.set(sql, statement);
  }
  return statement;
}
