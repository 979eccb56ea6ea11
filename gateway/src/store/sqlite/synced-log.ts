/**
 * The sync of SQLite's write-ahead log, done beside the event loop. With synchronous=FULL the commit itself would wait
 * for the disk, and the whole process with it; here requests go on being read and checked meanwhile. What a commit
 * means stays the same: nobody hears of it before it is on the disk.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { StoreUnavailable } from '../store.ts';

/** Brings what was written to an open file onto the disk. */
export type Sync = (descriptor: number) => Promise<void>;

export class SyncedLog {
  readonly #path: string;
  readonly #sync: Sync;
  #descriptor: number | undefined;
  #syncing: Promise<void> | undefined;
  #failure: unknown;

  /** The file need not be there before the first commit. */
  constructor(path: string, sync: Sync = promisify(fdatasync)) {
    this.#path = path;
    this.#sync = sync;
  }

  /** Resolves when all that was committed is on the disk; undefined when it is. Rejects with StoreUnavailable. */
  get syncing(): Promise<void> | undefined {
    return this.#syncing;
  }

  /** Throws StoreUnavailable once a sync has failed: what is on the disk is known again when SQLite has recovered it. */
  requireSound(): void {
    if (this.#failure === undefined) return;
    throw new StoreUnavailable('the disk has failed; restart the gateway', { cause: this.#failure });
  }

  /** Brings what was committed onto the disk. Throws StoreUnavailable when the disk refuses. */
  async sync(): Promise<void> {
    // SQLite holds no locks on this file, so a descriptor of our own disturbs none when it is closed.
    this.#descriptor ??= openSync(this.#path, 'r+');
    this.#syncing = this.#sync(this.#descriptor).catch((error: unknown) => {
      this.#failure = error;
      this.requireSound();
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
