/** The state of the whole database, read once for all metrics of a scrape. */
import { pausedChannels, payoutPause } from '../channels/pauses.ts';
import { readSchemaVersion } from '../database/migrate.ts';
import type { Database, Store } from '../database/store.ts';
import { type Amounts, walletMovements } from '../ledger/movements.ts';
import type { Clock } from '../platform/clock.ts';
import { systemTimers, type Timers } from '../platform/timers.ts';
import { countExceptions, countFailingTransactions } from '../transactions/failures.ts';
import { countOpenTransactions, type OpenKind, oldestDueMs } from '../transactions/open-transactions.ts';
import { countDifferences } from '../transactions/statements.ts';
import { countBacklog, countTroubledEndpoints } from '../webhooks/backlog.ts';

/** Milliseconds that the queries of a scrape may take. Prometheus waits for 10 s by default. */
const QUERIES_MS_MAX = 5_000;

interface StateOptions {
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
    differences: (db: Database) => countDifferences(db),
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

// Detects wallets that change without a ledger entry, for instance by manual SQL. It trusts the state at its start;
// `payments-gateway audit` finds earlier errors.

/** Longer than any unit of work, since an entry has the start time of its unit. */
const SETTLED_MS = 60_000;
/** After a longer pause, it restarts, since it would have to read too many entries. */
const PAUSE_MS_MAX = 10 * 60_000;

const NONE: Amounts = [0n, 0n];

export class WalletWatch {
  #from: number | undefined;
  /** The balances by the entries before `#from`. */
  #bases = new Map<string, Amounts>();

  /** Returns the number of wallets whose balance their entries don't explain. */
  async differing(db: Database, now: number): Promise<number> {
    const to = now - SETTLED_MS;
    const begins = this.#from === undefined || to < this.#from || to - this.#from > PAUSE_MS_MAX;
    const wallets = await walletMovements(db, begins ? to : (this.#from ?? to), to);
    const bases = new Map<string, Amounts>();
    let differing = 0;
    for (const { wallet, balance, between, since } of wallets) {
      const base = begins ? minus(balance, since) : plus(this.#bases.get(wallet) ?? NONE, between);
      bases.set(wallet, base);
      if (minus(balance, plus(base, since)).some((amount) => amount !== 0n)) differing += 1;
    }
    this.#from = to;
    this.#bases = bases;
    return differing;
  }
}

function plus(a: Amounts, b: Amounts): Amounts {
  return [a[0] + b[0], a[1] + b[1]];
}

function minus(a: Amounts, b: Amounts): Amounts {
  return [a[0] - b[0], a[1] - b[1]];
}
