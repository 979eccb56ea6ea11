/**
 * The embedded store: node:sqlite with a write-ahead log. The log is synced before a unit of work resolves, so every
 * response survives a power loss.
 */

import { closeSync, fdatasync, openSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Store } from '../store.ts';
import { FailStopLog } from './commit-log.ts';
import { connectReader, connectWriter } from './connection.ts';
import { createPrivateFile, describeFailures } from './database-file.ts';
import { Reader, Statements } from './statements.ts';
import { type QueueOptions, storeOnConnections } from './store-on-connections.ts';

/** Free space required after a failed write. A single write fits into the log long before most others do. */
const FREE_BYTES_MIN = 2 ** 20;

async function readDiskSpace(file: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(file);
  return { free: bavail * bsize, size: blocks * bsize };
}

interface SqliteOptions extends QueueOptions {
  /** Syncs a file. For tests. */
  readonly sync?: Sync;
}

/** Opens the file, and creates it with its folder. Throws UnusableDatabase. */
export function openSqlite(path: string, { sync, ...queue }: SqliteOptions = {}): Store {
  const file = createPrivateFile(path);
  const log = new SyncedLog(`${file}-wal`, sync);
  const writer = new Statements(describeFailures(() => connectWriter(file)));
  writer.checkpoint();
  const reader = new Reader(
    describeFailures(() => connectReader(file)),
    log,
  );
  return storeOnConnections(
    {
      ...{ writer, reader, log },
      connect: () => new Statements(connectReader(file)),
      hasRoom: async () => (await readDiskSpace(file)).free >= FREE_BYTES_MIN,
      space: async () => ({ database: (await stat(file)).size, disk: await readDiskSpace(file) }),
      release: () => log.close(),
    },
    queue,
  );
}

// Syncs SQLite's write-ahead log off the event loop. With synchronous=FULL, the commit itself would wait for the disk,
// and the whole process with it. Here the process continues to read and validate requests. What a commit means stays the
// same: its result is visible only once it is on the disk (docs/decisions/0001-sqlite-sync-and-group-commit.md).

/** Writes an open file to the disk (fdatasync). */
type Sync = (descriptor: number) => Promise<void>;

class SyncedLog extends FailStopLog {
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
