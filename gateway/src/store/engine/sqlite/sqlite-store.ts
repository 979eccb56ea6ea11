/**
 * The embedded store: node:sqlite with a write-ahead log that is synced before a unit of work resolves, so that every
 * response survives a power cut. A commit costs one write to the disk whatever it contains, so units that arrive
 * together are committed together: while one group is written to the disk, the next one gathers.
 */
import { statfs } from 'node:fs/promises';
import { type Database, QUEUE_MAX, type Store, StoreUnavailable, type UnitOptions } from '../store.ts';
import { type Unit, UnitQueue } from '../unit-queue.ts';
import { connect, connectReader, Reader, Statements } from './connection.ts';
import { createPrivateFile, describeFailures } from './database-file.ts';
import { commitGroup } from './group-commit.ts';
import { type Sync, SyncedLog } from './synced-log.ts';

/** After a write that found no room, this much must be free. A single write fits into the log long before most others do. */
const FREE_BYTES_MIN = 2 ** 20;

async function freeBytes(file: string): Promise<number> {
  const { bavail, bsize } = await statfs(file);
  return bavail * bsize;
}

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
  /** The error of the last commit that failed. A later one may need less room, so that `ping` alone forgets it. */
  let writeFailure: StoreUnavailable | undefined;
  const commit = async (units: readonly Unit[]) => {
    writeFailure = (await commitGroup({ writer, reader, log }, units)) ?? writeFailure;
  };
  const queue = new UnitQueue(commit, { max: queueMax });
  let closed = false;

  function unit<T>(work: (db: Database) => Promise<T>, { priority = 'caller' }: UnitOptions = {}): Promise<T> {
    if (closed) return Promise.reject(new StoreUnavailable('the store is closed', { reason: 'closed' }));
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
      if (closed) throw new StoreUnavailable('the store is closed', { reason: 'closed' });
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
      const damage = writer.damage ?? reader.damage;
      if (damage) throw damage;
      await reader.get('select 1');
      if (!writeFailure) return;
      if (writeFailure.reason === 'disk_full' && (await freeBytes(file)) < FREE_BYTES_MIN) throw writeFailure;
      await unit((db) => db.run('update schema_version set version = version'));
      writeFailure = undefined;
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
