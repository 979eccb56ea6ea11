/**
 * The shared store: any number of gateway processes on one PostgreSQL. A unit of work is a transaction on a
 * connection of its own; it is run again when the database says that it conflicted with another.
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
import { Reads } from './batched-reads.ts';
import { READ, Turns, UNIT } from './connection-turns.ts';
import { isBroken, translateError } from './translate-errors.ts';

/** Serialization failure and deadlock: nothing has happened, and trying again helps. */
const RETRIED = new Set(['40001', '40P01']);
const RETRIES_MAX = 5;
/**
 * Every wait ends, in milliseconds. A server that vanishes without a word leaves connections that look alive, and a
 * process that is frozen in the middle of a unit holds locks that others wait for.
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
  /** More units of work and reads than this that wait for a connection are overload. */
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
  // A broken connection is replaced by the pool; without listeners, idle or in use, it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const begun = new Set<Promise<unknown>>();
  const turns = new Turns(max);
  const reads = new Reads(pool, isBroken);
  let closed: Promise<void> | undefined;

  function admit(): void {
    if (closed) throw new StoreUnavailable('the store is closed');
    if (pool.waitingCount + turns.waiting >= queueMax) throw new StoreUnavailable('too many units of work are waiting');
  }

  const read = new Connection((query) => {
    admit();
    return turns.run('caller', READ, () => reads.query(query));
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
      return track(turns.run(priority, UNIT, () => transactAgain(pool, work, WRITING)));
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
      // The pool would leave units that still wait for a connection without an answer.
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
    // Not awaited: the first statement goes right behind it. When it fails, whatever writes fails as well.
    const begun = client.query(begin);
    begun.catch(() => undefined);
    const value = await work(new Connection((query) => client.query({ ...query, ...settings })));
    await begun;
    if (value instanceof Rejection) {
      await client.query('rollback');
      return value;
    }
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error('a unit of work went on after a statement of it had failed');
    return value;
  } catch (error) {
    if (isBroken(error)) broken = true;
    else await client.query('rollback').catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** A statement that finds itself outside of a transaction, since its `begin` has failed, must not be one by itself. */
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
  async #run(sql: string, values: Value[]): Promise<pg.QueryResult<Row>> {
    try {
      return await this.#query({ ...prepared(sql), values });
    } catch (error) {
      throw translateError(error);
    }
  }
}

const PREPARED = new Map<string, { name: string; text: string }>();

/** The statement with numbered parameters, and a name by which the server keeps its plan. */
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
