/**
 * Syncs SQLite's write-ahead log off the event loop. With synchronous=FULL, the commit itself would wait for the disk,
 * and the whole process with it. Here the process continues to read and validate requests. What a commit means stays the
 * same: its result is visible only once it is on the disk (docs/decisions/0001-sqlite-sync-and-group-commit.md).
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { StoreUnavailable } from '../store.ts';
import type { CommitLog } from './commit-log.ts';

/** Writes an open file to the disk (fdatasync). */
export type Sync = (descriptor: number) => Promise<void>;

export class SyncedLog implements CommitLog {
  readonly #path: string;
  readonly #sync: Sync;
  #descriptor: number | undefined;
  #syncing: Promise<void> | undefined;
  #failure: unknown;

  /** The file may be missing until the first commit. */
  constructor(path: string, sync: Sync = promisify(fdatasync)) {
    this.#path = path;
    this.#sync = sync;
  }

  /** Resolves when all that was committed is on the disk; undefined when it is. Rejects with StoreUnavailable. */
  get syncing(): Promise<void> | undefined {
    return this.#syncing;
  }

  /** Throws StoreUnavailable after a failed sync: only SQLite's recovery finds out what is on the disk. */
  requireHealthy(): void {
    if (this.#failure === undefined) return;
    throw new StoreUnavailable('the disk has failed; restart the gateway', {
      reason: 'disk_failed',
      cause: this.#failure,
    });
  }

  /** Writes what was committed to the disk. Throws StoreUnavailable if that fails. */
  async sync(): Promise<void> {
    // SQLite holds no locks on this file, so closing our own descriptor releases none.
    this.#descriptor ??= openSync(this.#path, 'r+');
    this.#syncing = this.#sync(this.#descriptor).catch((error: unknown) => {
      this.#failure = error;
      this.requireHealthy();
    });
    await this.#syncing;
    this.#syncing = undefined;
  }

  /** Closes the file. */
  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
