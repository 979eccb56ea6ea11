/**
 * The shared store: any number of gateway processes on one PostgreSQL. A unit of work is a transaction on a dedicated
 * connection, retried after a serialization failure or a deadlock. Units that allow it share a transaction with other
 * waiting units.
 */

import pg from 'pg';
import { type Database, type Priority, QUEUE_MAX, type Store, StoreUnavailable, type UnitOptions } from '../store.ts';
import { UnitQueue } from '../unit-queue.ts';
import { BatchedReads } from './batched-reads.ts';
import { CommitCounts, commitTogether, createMeter, type SharedUnit } from './commit-together.ts';
import { repeatConflicts, throwUnavailable, translateError } from './errors.ts';
import { POSTGRES_PROFILES, type PostgresProfile, type ProfileName, requireProperties } from './profile.ts';
import { type PoolMode, sessionSetup } from './sessions.ts';
import { PostgresConnection, SHOW_WARNINGS, transactAgain, transactionOptions, UNLIMITED_MS } from './transact.ts';

/** Limits that the server enforces, in milliseconds. */
const SERVER_TIME_LIMITS = {
  statement_timeout: 8_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 5_000,
};
/**
 * Limits for every wait, in milliseconds. A server that vanishes leaves connections that look alive, and a process that
 * is paused in the middle of a unit holds locks that others wait for.
 */
const TIME_LIMITS = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 10_000,
  ...SERVER_TIME_LIMITS,
};

/** One transaction with units of several callers waits for the disk while the next one gathers and runs. */
const TOGETHER_MAX = 64;

/** After a failed `begin`, a statement must not run outside of a transaction. */
const WRITES_IN_TRANSACTIONS_ONLY = { default_transaction_read_only: 'on' };

/**
 * Every statement of a gateway has an index. A plan made while a table is small or not analyzed would scan it, and the
 * session keeps the plan while the table grows. A hash or merge join with the rows of a commit would read a whole index.
 * Before PostgreSQL 18, such a plan would also cost enough to trigger JIT compilation.
 */
const PLANS_BY_INDEX = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off', jit: 'off' };

// Amounts and times fit a number: the contract keeps amounts at or under 2^53 - 1.
pg.types.setTypeParser(pg.types.builtins.INT8, parseInteger);

export interface PostgresOptions {
  /** Connections. */
  readonly max?: number;
  /** Units of work and reads that may wait for a connection; more are refused as overload. */
  readonly queueMax?: number;
  /** Milliseconds. */
  readonly timeLimits?: Partial<typeof TIME_LIMITS>;
  /** `transaction` if a connection pooler in that mode is in front of the server. */
  readonly pooler?: PoolMode;
  /** Whether it is for a gateway, and not for a command. */
  readonly isGateway?: boolean;
  /** `postgres` by default. */
  readonly profile?: ProfileName;
  /** Makes the connections; the driver's own class by default. */
  readonly Client?: pg.PoolConfig['Client'];
}

/** A connection pool configured by the options, with its kinds of transactions. */
function openPool(
  url: string,
  { max = 10, timeLimits, pooler = 'session', isGateway = false, Client }: PostgresOptions,
  profile: PostgresProfile,
) {
  const { connectionTimeoutMillis, query_timeout, ...serverLimits } = { ...TIME_LIMITS, ...timeLimits };
  const connection = { connectionString: withFullVerification(url), connectionTimeoutMillis, query_timeout };
  const isPooled = pooler === 'transaction';
  const plans = isGateway && profile.isPostgres ? PLANS_BY_INDEX : {};
  const settings = { ...SHOW_WARNINGS, ...serverLimits, ...plans };
  const ofSession = { ...WRITES_IN_TRANSACTIONS_ONLY, ...profile.session, ...settings };
  const setUp = () => sessionSetup(connection, ofSession);
  const pool = new pg.Pool({
    ...connection,
    ...{ max, keepAlive: true, pipeline: true },
    ...(Client && { Client }),
    ...(!isPooled && { onConnect: setUp() }),
  });
  // The pool replaces a broken connection. Without listeners, its error would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { pool, connection, isPooled, kinds: transactionOptions(profile, settings, isPooled) };
}

/** Connects lazily. */
export function openPostgres(url: string, options: PostgresOptions = {}): Store {
  const { max = 10, queueMax = QUEUE_MAX } = options;
  const profile = POSTGRES_PROFILES[options.profile ?? 'postgres'];
  const { pool, connection, isPooled, kinds } = openPool(url, options, profile);
  const begun = new BegunWork();
  const queue = new ConnectionQueue(max);
  const reads = new BatchedReads(pool);
  const commits = new CommitCounts();
  const units = createUnits({ pool, kinds, queue, commits, queueMax });
  let closed: Promise<void> | undefined;

  function admit(): void {
    if (closed) throw new StoreUnavailable('the store is closed', { reason: 'closed' });
    if (pool.waitingCount + queue.waiting >= queueMax)
      throw new StoreUnavailable('too many units of work are waiting', { reason: 'overloaded' });
  }

  const readOnce = (query: pg.QueryConfig) => queue.run('caller', () => reads.query(query));
  async function runRead(query: pg.QueryConfig) {
    admit();
    return repeatConflicts(() => readOnce(query), profile.attempts.read).catch(throwUnavailable);
  }
  const read = new PostgresConnection(runRead, profile.prepare, isPooled);

  const store: Store = {
    kind: 'postgres',
    isShared: true,
    read,
    meter: createMeter({ pool, max, read, commits, waiting: () => queue.waiting + units.waiting }),
    async unit(work, unitOptions = {}) {
      admit();
      return begun.track(units.run(work, unitOptions));
    },
    async longUnit(work) {
      admit();
      return begun.track(transactAgain(pool, work, kinds.unhurried));
    },
    async snapshot(work) {
      admit();
      return begun.track(transactAgain(pool, work, kinds.snapshot));
    },
    ...(profile.isPostgres && {
      location: () => readLocation(read),
      buildIndex: (statement) => buildIndex(connection, isPooled, statement),
    }),
    async ping() {
      requireProperties(await read.get(profile.properties), { isGateway: options.isGateway ?? false });
      if (!begun.writesRefused) return;
      await store.unit((db) => db.run(profile.writeProbe));
      begun.writesRefused = false;
    },
    async hasTable(name) {
      return (await read.get('select to_regclass(?) as found', name))?.['found'] !== null;
    },
    serverTime: () => serverTime(read),
    close() {
      // The pool would never settle units that wait for a connection.
      closed ??= begun.ended().then(() => pool.end());
      return closed;
    },
  };
  return store;
}

interface UnitServices {
  readonly pool: pg.Pool;
  readonly kinds: ReturnType<typeof transactionOptions>;
  readonly queue: ConnectionQueue;
  readonly commits: CommitCounts;
  readonly queueMax: number;
}

/** Runs units of work, each alone or in one transaction with others that wait. */
function createUnits({ pool, kinds, queue, commits, queueMax }: UnitServices) {
  const alone = <T>(work: (db: Database) => Promise<T>) =>
    commits.track(1, () => transactAgain(pool, work, kinds.writing));
  const parts = { pool, kind: kinds.together, alone, commits };
  const commit = (units: readonly SharedUnit[]) => queue.run('caller', () => commitTogether(parts, units));
  const together = new UnitQueue<SharedUnit>(commit, { max: queueMax, groupMax: TOGETHER_MAX });
  return {
    /** Number of units that wait for the next shared transaction. */
    get waiting() {
      return together.waiting;
    },
    run<T>(work: (db: Database) => Promise<T>, { priority = 'caller', together: rows }: UnitOptions): Promise<T> {
      if (!rows) return queue.run(priority, () => alone(work));
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      together.add({ work, rows, resolve: resolve as (value: unknown) => void, reject }, priority);
      return promise;
    },
  };
}

/**
 * The driver verifies the server's certificate and name in these modes too, and warns in five lines that it may no longer do
 * so in its next version. The gateway continues to.
 */
function withFullVerification(url: string): string {
  if (/[?&]uselibpqcompat=true\b/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

/**
 * A restored dump has new tables, another server another identifier, and a promoted or recovered server another
 * timeline.
 */
const LOCATION = `select concat_ws('/', (select system_identifier from pg_control_system()),
  substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8),
  (select oid from pg_database where datname = current_database()), to_regclass('schema_version')::oid) as location`;

async function readLocation(read: Database): Promise<string | undefined> {
  try {
    return String((await read.get(LOCATION))?.['location']);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    // Some services with the protocol of PostgreSQL lack or forbid these functions.
    return undefined;
  }
}

/** Like SQLite's driver, it refuses an integer that a number can't represent. */
function parseInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is an integer that a number can't represent`);
  return value;
}

async function serverTime(read: Database): Promise<number> {
  const row = await read.get('select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as ms');
  return Number(row?.['ms']);
}

class BegunWork {
  readonly #begun = new Set<Promise<unknown>>();
  /** Whether the server has rejected a unit's writes. */
  writesRefused = false;

  /** Returns a promise of the work that `ended` waits for. */
  track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.then(
      (value) => {
        this.#begun.delete(tracked);
        return value;
      },
      (error: unknown) => {
        this.#begun.delete(tracked);
        this.writesRefused ||= refusesWrites(error);
        throw error;
      },
    );
    this.#begun.add(tracked);
    return tracked;
  }

  /** Resolves when all units in progress have ended. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#begun);
  }
}

function refusesWrites(error: unknown): boolean {
  return error instanceof StoreUnavailable && ['disk_full', 'disk_failed', 'read_only'].includes(error.reason);
}

const CREATION = /^create (unique )?index (?<name>\w+) on /;

/** Builds an index unless it exists. First drops the remains of an interrupted build. */
async function buildIndex(connection: pg.ClientConfig, isPooled: boolean, statement: string): Promise<void> {
  const name = CREATION.exec(statement)?.groups?.['name'];
  if (name === undefined) throw new Error(`not the creation of an index: ${statement}`);
  const client = new pg.Client({ ...connection, query_timeout: UNLIMITED_MS });
  // The error of a query comes from the query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // Behind a pooler, the session is shared and has the server's limits.
    if (!isPooled) await client.query('set statement_timeout = 0; set lock_timeout = 0');
    const found = await client.query<{ valid: boolean }>(
      'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
      [name],
    );
    if (found.rows[0]?.valid === false) await client.query(`drop index concurrently ${name}`);
    await client.query(statement.replace(' index ', ' index concurrently if not exists '));
  } catch (error) {
    throw translateError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

// Queues background work for the connections of a pool. Callers get one immediately. Background work waits while all
// connections are in use, but one unit of it is admitted after a number of callers' reads and units, so that it never
// starves.

/** While callers fill the pool, one unit of background work is admitted per this many of theirs. */
const CALLERS_PER_BACKGROUND = 16;

export class ConnectionQueue {
  readonly #connections: number;
  readonly #waiting: (() => void)[] = [];
  #active = 0;
  #callers = 0;

  constructor(connections: number) {
    this.#connections = connections;
  }

  /** Number of waiting background units. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs the work: a caller's immediately, background work when admitted. */
  run<T>(priority: Priority, work: () => Promise<T>): Promise<T> {
    if (priority === 'background' && this.#active >= this.#connections) {
      return new Promise((resolve) => this.#waiting.push(() => resolve(this.#begin(work))));
    }
    if (priority === 'caller') this.#callers += 1;
    return this.#begin(work);
  }

  #begin<T>(work: () => Promise<T>): Promise<T> {
    this.#active += 1;
    return work().finally(() => this.#end());
  }

  #end(): void {
    this.#active -= 1;
    while (this.#active < this.#connections && this.#admit());
    if (this.#callers >= CALLERS_PER_BACKGROUND) this.#admit();
  }

  #admit(): boolean {
    const begin = this.#waiting.shift();
    this.#callers = 0;
    begin?.();
    return begin !== undefined;
  }
}
