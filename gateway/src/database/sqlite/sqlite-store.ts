/**
 * The embedded store: node:sqlite with a write-ahead log. The log is synced before a unit of work resolves, so every
 * response survives a power loss.
 */
import { stat, statfs } from 'node:fs/promises';
import type { Store } from '../store.ts';
import { connectReader, connectWriter } from './connection.ts';
import { createPrivateFile, describeFailures } from './database-file.ts';
import { Reader, Statements } from './statements.ts';
import { type QueueOptions, storeOnConnections } from './store-on-connections.ts';
import { type Sync, SyncedLog } from './synced-log.ts';

/** Free space required after a failed write. A single write fits into the log long before most others do. */
const FREE_BYTES_MIN = 2 ** 20;

async function readDiskSpace(file: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(file);
  return { free: bavail * bsize, size: blocks * bsize };
}

export interface SqliteOptions extends QueueOptions {
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
