/** The state of the whole database, read once for all metrics of a scrape. */

import { pausedChannels, payoutPause } from '../channels/pause-rows.ts';
import { readSchemaVersion } from '../database/migrate.ts';
import type { Database, Store } from '../database/store.ts';
import type { Clock } from '../platform/clock.ts';
import { systemTimers, type Timers } from '../platform/timers.ts';
import { countExceptions } from '../transactions/exception-rows.ts';
import { countFailingTransactions } from '../transactions/failures.ts';
import { oldestDueMs } from '../transactions/lag.ts';
import { countOpenTransactions, type OpenKind } from '../transactions/open-transactions.ts';
import { countBacklog, countTroubledEndpoints } from '../webhooks/backlog.ts';
import { WalletWatch } from './wallet-watch.ts';

/** Milliseconds that the queries of a scrape may take. Prometheus waits for 10 s by default. */
const QUERIES_MS_MAX = 5_000;

export interface StateOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The kinds and statuses of open transactions. */
  readonly open: readonly OpenKind[];
  /** Whether to watch the ledger. Not with sandbox clocks. */
  readonly watchWallets: boolean;
  /** Milliseconds for which a state is cached, so that several scrapers share its cost. */
  readonly cachedMs: number;
  readonly timers?: Timers;
}

/** Queries by name, run one after the other on one connection. */
function createQueries({ store, clock, open, watchWallets }: StateOptions) {
  const watch = new WalletWatch();
  return {
    failing: (db: Database) => countFailingTransactions(db),
    exceptions: (db: Database) => countExceptions(db),
    payoutPause: async (db: Database) => ({ since: (await payoutPause(db))?.at }),
    pausedChannels: (db: Database) => pausedChannels(db),
    due: (db: Database) => oldestDueMs(db, clock.now()),
    open: (db: Database) => countOpenTransactions(db, open),
    backlog: (db: Database) => countBacklog(db, clock.now()),
    endpoints: (db: Database) => countTroubledEndpoints(db, clock.now()),
    wallets: async (db: Database) => (watchWallets ? watch.differing(db, clock.now()) : undefined),
    schema: () => readSchemaVersion(store),
    space: async () => store.meter?.space(),
  };
}

type Queries = ReturnType<typeof createQueries>;

/** A result is missing if its query failed or was late: a missing sample is better than a wrong one. */
export type DatabaseState = {
  readonly [Name in keyof Queries]?: Awaited<ReturnType<Queries[Name]>>;
} & {
  /** Duration of each query in seconds. */
  readonly seconds: Readonly<Partial<Record<keyof Queries, number>>>;
};

const NOTHING: DatabaseState = { seconds: {} };

/** Returns a function that reads the state, at most once at a time. */
export function databaseState(options: StateOptions): () => Promise<DatabaseState> {
  const { store, cachedMs, timers = systemTimers } = options;
  const queries = createQueries(options);
  let reading: Promise<DatabaseState> | undefined;
  let last: { readonly state: DatabaseState; readonly until: number } | undefined;

  async function readAll(): Promise<DatabaseState> {
    const results: Record<string, unknown> = {};
    const seconds: Record<string, number> = {};
    const began = timers.elapsed();
    for (const [name, query] of Object.entries(queries)) {
      const at = timers.elapsed();
      if (at - began > QUERIES_MS_MAX) break;
      results[name] = await query(store.read).catch(() => undefined);
      seconds[name] = (timers.elapsed() - at) / 1_000;
    }
    const state = { ...results, seconds } as DatabaseState;
    last = { state, until: timers.elapsed() + cachedMs };
    return state;
  }

  return async () => {
    if (last && timers.elapsed() < last.until) return last.state;
    reading ??= readAll().finally(() => (reading = undefined));
    const late = Promise.withResolvers<DatabaseState>();
    const cancel = timers.after(QUERIES_MS_MAX, () => late.resolve(NOTHING));
    return Promise.race([reading, late.promise]).finally(cancel);
  };
}
