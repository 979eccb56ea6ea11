/** Transactions on a connection of the pool, and the statements in them. */

import type { Socket } from 'node:net';
import type pg from 'pg';
import { NO_KEYS } from '../../platform/key-ring.ts';
import { type Database, Rejection, type Row, type RowStatement, StoreUnavailable, type Value } from '../store.ts';
import {
  ABORTED,
  connect,
  isBroken,
  isConflict,
  readErrorCode,
  repeatConflicts,
  throwUnavailable,
  translateError,
} from './errors.ts';
import type { PostgresProfile } from './profile.ts';
import type { SessionSettings } from './sessions.ts';
import { nextTick, StatementBatch } from './statement-batch.ts';

export interface TransactionOptions {
  readonly begin: string;
  /** Maximum number of attempts after conflicts. */
  readonly attempts: number;
  readonly prepare: PostgresProfile['prepare'];
  /** Settings of the server that hold in the transaction only. */
  readonly local?: SessionSettings;
  /** Whether a pooler selects a session of the server for each transaction. */
  readonly isPooled?: boolean;
  /** Milliseconds that a statement may take, in place of TIME_LIMITS.query_timeout. */
  readonly query_timeout?: number;
}

/** Units of several callers. The lock timeout in milliseconds keeps one locked row from delaying the others. */
const TOGETHER = { local: { lock_timeout: 250 } };
/** A consistent snapshot for reads. It locks no rows and may idle for minutes while its results are paged through. */
const SNAPSHOT = {
  begin: 'begin isolation level repeatable read read only',
  local: { idle_in_transaction_session_timeout: 10 * 60_000 },
};
/** The longest that a timer takes, in milliseconds: 24 days. */
export const UNLIMITED_MS = 2 ** 31 - 1;
/** Without statement timeouts. It may wait for external work. */
const UNHURRIED = {
  query_timeout: UNLIMITED_MS,
  local: { statement_timeout: 0, idle_in_transaction_session_timeout: 0 },
};

/** Runs the work in a transaction, again after a conflict. */
export async function transactAgain<T>(
  pool: pg.Pool,
  work: (db: Database) => Promise<T>,
  kind: TransactionOptions,
): Promise<T> {
  try {
    return await repeatConflicts(() => transact(pool, work, kind), kind.attempts);
  } catch (error) {
    throwUnavailable(translateError(error));
  }
}

/**
 * Runs the work in a transaction and rolls back if it returns a Rejection. After a conflict it throws the conflict,
 * since later errors are consequences of it. For the same reason, it throws the first error if the work rejects with a
 * later statement's.
 */
export async function transact<T>(
  pool: pg.Pool,
  work: (db: PostgresConnection) => Promise<T>,
  { begin, prepare, isPooled, query_timeout }: TransactionOptions,
): Promise<T> {
  const client = await connect(pool);
  let broken = false;
  let conflict: unknown;
  let first: unknown;
  try {
    const begun = client.query(begin);
    begun.catch(() => undefined);
    // Otherwise the first statement follows in the same packet. If `begin` fails, the session refuses every write.
    if (isPooled) await begun;
    const send = inOnePacket(client);
    const limits = query_timeout === undefined ? {} : { query_timeout };
    const watched = async (query: pg.QueryConfig) => {
      try {
        return await send({ ...query, ...limits });
      } catch (error) {
        if (isConflict(error)) conflict ??= error;
        first ??= error;
        throw error;
      }
    };
    const value = await work(new PostgresConnection(watched, prepare, isPooled));
    await begun;
    if (conflict) throw conflict;
    if (value instanceof Rejection) {
      await client.query('rollback');
      return value;
    }
    await commit(client);
    return value;
  } catch (error) {
    if (isBroken(error)) broken = true;
    else await client.query('rollback').catch(() => (broken = true));
    throw conflict ?? (readErrorCode(error) === ABORTED ? first : error);
  } finally {
    client.release(broken);
  }
}

/** Sends queries, one packet for each turn of the event loop. */
function inOnePacket(client: pg.PoolClient): (query: pg.QueryConfig) => Promise<pg.QueryResult<Row>> {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  let corked = false;
  return (query) => {
    if (!corked) {
      corked = true;
      stream.cork();
      nextTick(() => {
        corked = false;
        stream.uncork();
      });
    }
    return client.query(query);
  };
}

/**
 * The kinds of transactions with all their settings. Behind a pooler each transaction sets everything, because sessions
 * are shared.
 */
export function transactionOptions(
  { begin, attempts, prepare }: PostgresProfile,
  session: SessionSettings,
  isPooled: boolean,
) {
  const withSettings = (own: Partial<TransactionOptions>): TransactionOptions => {
    const kind = { begin, attempts: attempts.alone, prepare, ...own };
    const settings = Object.entries({ ...(isPooled && session), ...kind.local });
    const statements = [kind.begin, ...settings.map(([name, value]) => `set local ${name} = ${value}`)];
    return { ...kind, begin: statements.join('; '), isPooled };
  };
  return {
    writing: withSettings({}),
    together: withSettings({ ...TOGETHER, attempts: attempts.together }),
    snapshot: withSettings(SNAPSHOT),
    unhurried: withSettings(UNHURRIED),
  };
}

/** Sends statements, prepared where the session is the gateway's own. */
export class PostgresConnection implements Database {
  readonly keys = NO_KEYS;
  readonly #query: (query: pg.QueryConfig) => Promise<pg.QueryResult<Row>>;
  readonly #prepare: PostgresProfile['prepare'];
  readonly #isPooled: boolean;
  readonly #batch = new StatementBatch(this);
  constructor(
    query: (query: pg.QueryConfig) => Promise<pg.QueryResult<Row>>,
    prepare: PostgresProfile['prepare'],
    isPooled = false,
  ) {
    this.#query = query;
    this.#prepare = prepare;
    this.#isPooled = isPooled;
  }
  async all(sql: string, ...values: (Value | readonly Value[])[]): Promise<Row[]> {
    return (await this.#run(sql, values)).rows;
  }
  async get(sql: string, ...values: Value[]): Promise<Row | undefined> {
    return (await this.#run(sql, values)).rows[0];
  }
  async run(sql: string, ...values: Value[]): Promise<number> {
    return (await this.#run(sql, values)).rowCount ?? 0;
  }
  write(statement: RowStatement, ...values: Value[]): Promise<Row | undefined> {
    return this.#batch.write(statement, values);
  }
  /** Reads once what is read several times in one turn of the event loop. */
  readOnce(sql: string, values: readonly Value[]): Promise<Row[]> {
    return this.#batch.read(sql, values);
  }
  async #run(sql: string, values: (Value | readonly Value[])[]): Promise<pg.QueryResult<Row>> {
    try {
      const { name, text } = this.#prepare(sql);
      // A named statement belongs to one session, and the next transaction may get another one.
      return await this.#query(this.#isPooled ? { text, values } : { name, text, values });
    } catch (error) {
      throw translateError(error);
    }
  }
}

// Commits on PostgreSQL. With a synchronous standby, a commit waits until the standby has it. If that wait is canceled,
// as by `pg_cancel_backend`, PostgreSQL reports success with a warning: the commit is on the primary only, and a failover
// would lose it. Time limits of the server don't cancel the wait; they end before a commit begins.

/** Routine of PostgreSQL that warns. The message itself depends on the language of the server. */
const WARNS_FROM = 'SyncRepWaitForLSN';
/** For every connection: a role could otherwise be set to hide the warning. */
export const SHOW_WARNINGS = { client_min_messages: 'warning' };

/** Commits. Rejects with StoreUnavailable if it is not known whether the synchronous standby has the commit. */
async function commit(client: pg.ClientBase): Promise<void> {
  let isCanceled = false;
  const watch = ({ routine }: { routine?: string | undefined }) => {
    if (routine === WARNS_FROM) isCanceled = true;
  };
  client.on('notice', watch);
  try {
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error('a unit of work continued after one of its statements had failed');
  } finally {
    client.off('notice', watch);
  }
  if (isCanceled) throw new StoreUnavailable('the wait for the synchronous standby was canceled');
}
