/**
 * The store on one writing and one reading connection. A commit costs the same regardless of its size, so units that
 * arrive during a commit form the next group.
 */
import { type Database, QUEUE_MAX, type Store, type StoreMeter, StoreUnavailable, type UnitOptions } from '../store.ts';
import { type Unit, UnitQueue } from '../unit-queue.ts';
import type { CommitLog } from './commit-log.ts';
import { commitGroup } from './group-commit.ts';
import type { Reader, Statements } from './statements.ts';

export interface SqliteConnections {
  readonly writer: Statements;
  readonly reader: Reader;
  readonly log: CommitLog;
  /** Opens a connection for a snapshot. */
  connect(): Statements;
  /** Whether there is room again after a write that found none. */
  hasRoom(): Promise<boolean>;
  /** Sizes of the database and its disk, where there is one. */
  readonly space?: StoreMeter['space'];
  /** Runs commits and snapshots one by one, where a snapshot would see the commits. */
  readonly inTurn?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Releases what the connections leave. */
  release(): void;
}

export interface QueueOptions {
  /** Units that may wait for the next commit; more are refused as overload. */
  readonly queueMax?: number;
}

export function storeOnConnections(connections: SqliteConnections, { queueMax = QUEUE_MAX }: QueueOptions = {}): Store {
  const { writer, reader, log, space, inTurn = (work) => work() } = connections;
  /** The error of the last commit that failed. A later one may need less room, so that `ping` alone forgets it. */
  let writeFailure: StoreUnavailable | undefined;
  let onCommit: ((units: number) => void) | undefined;
  const commit = async (units: readonly Unit[]) => {
    const failure = await inTurn(() => commitGroup({ writer, reader, log }, units));
    if (failure) writeFailure = failure;
    else onCommit?.(units.length);
  };
  const queue = new UnitQueue(commit, { max: queueMax });
  let closed = false;

  function unit<T>(work: (db: Database) => Promise<T>, { priority = 'caller' }: UnitOptions = {}): Promise<T> {
    if (closed) return Promise.reject(new StoreUnavailable('the store is closed', { reason: 'closed' }));
    return new Promise<T>((resolve, reject) => {
      queue.add({ work, resolve: resolve as (value: unknown) => void, reject }, priority);
    });
  }

  async function snapshot<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const connection = connections.connect();
    try {
      await connection.run('begin');
      // The first read takes the snapshot. What it sees must be on the disk before it is returned.
      await connection.get('select 1 from sqlite_schema');
      await log.syncing;
      return await work(connection);
    } finally {
      connection.close();
    }
  }

  return {
    kind: 'sqlite',
    isShared: false,
    read: reader,
    ...(space && {
      meter: {
        waiting: () => queue.waiting,
        onCommit: (listener: (units: number) => void) => (onCommit = listener),
        space,
      },
    }),
    unit,
    longUnit: (work) => unit(work),
    async snapshot(work) {
      if (closed) throw new StoreUnavailable('the store is closed', { reason: 'closed' });
      return inTurn(() => snapshot(work));
    },
    // Units run one after the other.
    async ping() {
      const damage = writer.damage ?? reader.damage;
      if (damage) throw damage;
      await reader.get('select 1');
      if (!writeFailure) return;
      if (writeFailure.reason === 'disk_full' && !(await connections.hasRoom())) throw writeFailure;
      await unit((db) => db.run('update schema_version set version = version'));
      writeFailure = undefined;
    },
    async hasTable(name) {
      return (await reader.get("select 1 from sqlite_schema where type = 'table' and name = ?", name)) !== undefined;
    },
    async close() {
      if (closed) return queue.drain();
      closed = true;
      await queue.drain();
      reader.close();
      writer.close();
      connections.release();
    },
  };
}
