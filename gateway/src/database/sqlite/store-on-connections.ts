/**
 * The store on one writing and one reading connection. A commit costs the same regardless of its size, so units that
 * arrive during a commit form the next group.
 */
import {
  type Database,
  QUEUE_MAX,
  Rejection,
  type Store,
  type StoreMeter,
  StoreUnavailable,
  type UnitOptions,
} from '../store.ts';
import { type Unit, UnitQueue } from '../unit-queue.ts';
import type { CommitLog } from './commit-log.ts';
import type { Reader, Statements } from './statements.ts';
import { translateError } from './translate-errors.ts';

interface SqliteConnections {
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
      return inTurn(() => readSnapshot(connections, work));
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

async function readSnapshot<T>(
  { connect, log }: Pick<SqliteConnections, 'connect' | 'log'>,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const connection = connect();
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

interface Parts {
  readonly writer: Statements;
  readonly reader: Pick<Reader, 'refresh'>;
  readonly log: Pick<CommitLog, 'requireHealthy' | 'sync'>;
}

/** Settles the promise of a unit. */
type Settle = () => void;

/**
 * Runs the units in one transaction and settles each after the sync. Never rejects. Returns the error if the group
 * could not be written.
 */
export async function commitGroup(parts: Parts, units: readonly Unit[]): Promise<StoreUnavailable | undefined> {
  let settle: Settle[];
  try {
    parts.log.requireHealthy();
    await begin(parts);
    settle = (await commitTogether(parts, units)) ?? (await commitWithSavepoints(parts, units));
    await parts.log.sync();
  } catch (error) {
    const translated = translateError(error);
    const unavailable =
      translated instanceof StoreUnavailable
        ? translated
        : new StoreUnavailable('the database could not write', { reason: 'disk_failed', cause: error });
    if (unavailable.reason === 'damaged' && units.length > 1) return commitOneByOne(parts, units);
    for (const unit of units) unit.reject(unavailable);
    return unavailable;
  }
  for (const done of settle) done();
  return undefined;
}

/** SQLite can't commit a transaction that has read a damaged page, so each unit runs separately. */
async function commitOneByOne(parts: Parts, units: readonly Unit[]): Promise<StoreUnavailable | undefined> {
  let failure: StoreUnavailable | undefined;
  for (const unit of units) failure = (await commitGroup(parts, [unit])) ?? failure;
  return failure;
}

/** Waits while another process writes. If that takes too long, the group fails without a second attempt. */
async function begin({ writer }: Parts): Promise<void> {
  await writer.run('begin immediate');
}

/** A unit wrote before it was rejected, or SQLite rolled back the transaction after an error. */
class UndoNeeded extends Error {}

/**
 * Commits the units as one transaction. Rolls back and returns undefined if a unit throws, or is rejected after a
 * write.
 */
async function commitTogether(parts: Parts, units: readonly Unit[]): Promise<Settle[] | undefined> {
  try {
    return await commitUnits(parts, units, async (db, { work, resolve }) => {
      const { rowsWritten } = db;
      const value = await work(db);
      if (value instanceof Rejection && (db.rowsWritten > rowsWritten || !db.isTransaction)) throw new UndoNeeded();
      return () => resolve(value);
    });
  } catch {
    return undefined;
  }
}

/**
 * Commits the units with a savepoint each, so that a failing one is rolled back alone. Only for the second attempt,
 * since a savepoint copies every changed page. Throws if the whole group fails, for instance on a full disk.
 */
async function commitWithSavepoints(parts: Parts, units: readonly Unit[]): Promise<Settle[]> {
  await begin(parts);
  return commitUnits(parts, units, async (db, { work, resolve, reject }) => {
    await db.run('savepoint unit');
    try {
      const value = await work(db);
      if (value instanceof Rejection) await db.run('rollback to unit');
      await db.run('release unit');
      return () => resolve(value);
    } catch (error) {
      if (!db.isTransaction) throw error;
      await db.run('rollback to unit');
      await db.run('release unit');
      return () => reject(error);
    }
  });
}

/** Runs the units in the current transaction and commits it. */
async function commitUnits(
  { writer, reader }: Parts,
  units: readonly Unit[],
  run: (db: Statements, unit: Unit) => Promise<Settle>,
): Promise<Settle[]> {
  try {
    const settle: Settle[] = [];
    for (const unit of units) settle.push(await run(writer, unit));
    // Also allows a checkpoint, which a reader would block.
    reader.refresh();
    await writer.run('commit');
    return settle;
  } catch (error) {
    if (writer.isTransaction) await writer.run('rollback');
    throw error;
  }
}
