/**
 * Syncs SQLite's write-ahead log off the event loop. With synchronous=FULL, the commit itself would wait for the disk,
 * and the whole process with it. Here the process continues to read and validate requests. What a commit means stays the
 * same: its result is visible only once it is on the disk (docs/decisions/0001-sqlite-sync-and-group-commit.md).
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { FailStopLog } from './commit-log.ts';

/** Writes an open file to the disk (fdatasync). */
export type Sync = (descriptor: number) => Promise<void>;

export class SyncedLog extends FailStopLog {
  readonly #path: string;
  readonly #sync: Sync;
  #descriptor: number | undefined;

  /** The file may be missing until the first commit. */
  constructor(path: string, sync: Sync = promisify(fdatasync)) {
    super();
    this.#path = path;
    this.#sync = sync;
  }

  /** Closes the file. */
  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  protected write(): Promise<void> {
    // SQLite holds no locks on this file, so closing our own descriptor releases none.
    this.#descriptor ??= openSync(this.#path, 'r+');
    return this.#sync(this.#descriptor);
  }

  /** Only SQLite's recovery finds out what is on the disk. */
  protected describe(): string {
    return 'the disk has failed; restart the gateway';
  }
}
