/** The state of the store in this process, for monitoring. */
import type pg from 'pg';
import type { Database, StoreMeter } from '../store.ts';

/** Tells a listener about each commit. */
export class CommitCounts {
  #listener: ((units: number) => void) | undefined;

  listen(listener: (units: number) => void): void {
    this.#listener = listener;
  }

  /** Runs a transaction with this number of units. */
  async counted<T>(units: number, transaction: () => Promise<T>): Promise<T> {
    const value = await transaction();
    this.#listener?.(units);
    return value;
  }
}

interface Metered {
  readonly pool: pg.Pool;
  readonly max: number;
  readonly read: Database;
  readonly commits: CommitCounts;
  /** Units that wait for something else than a connection. */
  readonly waiting: () => number;
}

export function createMeter({ pool, max, read, commits, waiting }: Metered): StoreMeter {
  return {
    waiting: () => pool.waitingCount + waiting(),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, max }),
    onCommit: (listener) => commits.listen(listener),
    space: async () => ({
      database: Number((await read.get('select pg_database_size(current_database()) as size'))?.['size']),
    }),
  };
}
