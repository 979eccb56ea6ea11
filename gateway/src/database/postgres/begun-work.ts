/** Tracks units of work in progress and the outcome of their writes. */
import { StoreUnavailable } from '../store.ts';

export class BegunWork {
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
