/**
 * The embedded store: node:sqlite with a write-ahead log that is synced before a unit of work resolves, so that every
 * response survives a power cut. A commit costs one write to the disk whatever it contains, so units that arrive
 * together are committed together: while one group is written to the disk, the next one gathers.
 */
import { type Database, QUEUE_MAX, type Store, StoreUnavailable, type UnitOptions } from '../store.ts';
import { UnitQueue } from '../unit-queue.ts';
import { connect, connectReader, Reader, Statements } from './connection.ts';
import { createPrivateFile, describeFailures } from './database-file.ts';
import { commitGroup } from './group-commit.ts';
import { type Sync, SyncedLog } from './synced-log.ts';

export interface SqliteOptions {
  /** Units that may wait for the next commit; more are refused as overload. */
  readonly queueMax?: number;
  /** Syncs a file. For tests. */
  readonly sync?: Sync;
}

/** Opens the file, and creates it with its folder. Throws UnusableDatabase. */
export function openSqlite(path: string, { queueMax = QUEUE_MAX, sync }: SqliteOptions = {}): Store {
  const file = createPrivateFile(path);
  const log = new SyncedLog(`${file}-wal`, sync);
  const writer = new Statements(describeFailures(() => connect(file)));
  writer.checkpoint();
  const reader = new Reader(
    describeFailures(() => connectReader(file)),
    log,
  );
  const queue = new UnitQueue((units) => commitGroup({ writer, reader, log }, units), { max: queueMax });
  let closed = false;

  function unit<T>(work: (db: Database) => Promise<T>, { priority = 'caller' }: UnitOptions = {}): Promise<T> {
    if (closed) return Promise.reject(new StoreUnavailable('the store is closed'));
    return new Promise<T>((resolve, reject) => {
      queue.add({ work, resolve: resolve as (value: unknown) => void, reject }, priority);
    });
  }

  return {
    kind: 'sqlite',
    isShared: false,
    read: reader,
    unit,
    longUnit: (work) => unit(work),
    async snapshot(work) {
      if (closed) throw new StoreUnavailable('the store is closed');
      const connection = new Statements(connectReader(file));
      try {
        await connection.run('begin');
        // The first read takes the snapshot. What it sees must be on the disk before it is returned.
        await connection.get('select 1 from sqlite_schema');
        await log.syncing;
        return await work(connection);
      } finally {
        connection.close();
      }
    },
    // Units run one after the other.
    lockOut: async () => undefined,
    async ping() {
      await reader.get('select 1');
    },
    async hasTable(name) {
      return (await reader.get("select 1 from sqlite_schema where type = 'table' and name = ?", name)) !== undefined;
    },
    async close() {
      closed = true;
      await queue.drain();
      log.close();
      reader.close();
      writer.close();
    },
  };
}
