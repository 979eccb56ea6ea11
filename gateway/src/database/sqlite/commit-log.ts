/** Durability of commits. */
import { StoreUnavailable } from '../store.ts';

export interface CommitLog {
  /** Resolves when all commits are synced; undefined if they are. Rejects with StoreUnavailable. */
  readonly syncing: Promise<void> | undefined;
  /** Throws StoreUnavailable if writing is no longer possible. */
  requireHealthy(): void;
  /** Syncs the committed data to disk. Throws StoreUnavailable if that fails. */
  sync(): Promise<void>;
}

/** A log that rejects writes after a failed sync, since the state on disk is unknown. */
export abstract class FailStopLog implements CommitLog {
  #syncing: Promise<void> | undefined;
  #failure: unknown;

  get syncing(): Promise<void> | undefined {
    return this.#syncing;
  }

  requireHealthy(): void {
    if (this.#failure === undefined) return;
    throw new StoreUnavailable(this.describe(this.#failure), { reason: 'disk_failed', cause: this.#failure });
  }

  async sync(): Promise<void> {
    this.#syncing = this.write().catch((error: unknown) => {
      this.#failure = error;
      this.requireHealthy();
    });
    await this.#syncing;
    this.#syncing = undefined;
  }

  /** Syncs the committed data. Rejects if that fails, or may have failed. */
  protected abstract write(): Promise<void>;

  /** The failure of a sync, with a fix. */
  protected abstract describe(failure: unknown): string;
}
