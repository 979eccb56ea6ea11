/**
 * The embedded store: node:sqlite with a write-ahead log that is synced before anybody hears of a commit, so that what
 * was answered survives a power cut. A commit costs a write to the disk whatever it holds; units of work that arrive
 * together are therefore committed together, and while one group is on its way to the disk, the next one gathers.
 */

import { type Database, type Priority, QUEUE_MAX, type Store, StoreUnavailable } from '../store.ts';
import { connect, connectReader, Reader, Statements } from './connection.ts';
import { createPrivateFile, describeFailures } from './database-file.ts';
import { commitGroup, type Unit } from './group-commit.ts';
import { type Sync, SyncedLog } from './synced-log.ts';

/** Units in one commit: as many as take about a tenth of a second. */
const GROUP_MAX = 1_000;
/** While callers wait, a commit holds one unit of the background for as many of theirs. */
const CALLERS_PER_BACKGROUND = 16;
/** Units of the background alone in one commit: a few milliseconds, in which nobody else is read or answered. */
const BACKGROUND_MAX = 32;
/** So long after a commit for callers the background alone begins none: the next callers may be about to come. */
const CALLERS_FIRST_MS = 1;

export interface SqliteOptions {
  /** More units than this that wait for the next commit are overload. */
  readonly queueMax?: number;
  /** Brings what was written to a file onto the disk. For tests. */
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
  const queues: Record<Priority, Unit[]> = { caller: [], background: [] };
  let running = false;
  let closed = false;
  let callersUntil = 0;
  let pausing = false;

  const waiting = () => queues.caller.length + queues.background.length;

  function nextGroup(): Unit[] {
    const callers = queues.caller.splice(0, GROUP_MAX);
    const share = callers.length > 0 ? Math.ceil(callers.length / CALLERS_PER_BACKGROUND) : BACKGROUND_MAX;
    return [...callers, ...queues.background.splice(0, share)];
  }

  async function run(): Promise<void> {
    const forCallers = queues.caller.length > 0;
    await commitGroup({ writer, reader, log }, nextGroup());
    running = false;
    if (forCallers) callersUntil = performance.now() + CALLERS_FIRST_MS;
    schedule();
  }

  function schedule(): void {
    if (running || waiting() === 0) return;
    const pause = queues.caller.length > 0 ? 0 : callersUntil - performance.now();
    if (pause > 0) {
      scheduleAfter(pause);
    } else {
      running = true;
      setImmediate(run);
    }
  }

  function scheduleAfter(ms: number): void {
    if (pausing) return;
    pausing = true;
    setTimeout(() => {
      pausing = false;
      schedule();
    }, ms);
  }

  return {
    kind: 'sqlite',
    read: reader,
    unit<T>(work: (db: Database) => Promise<T>, priority: Priority = 'caller'): Promise<T> {
      if (closed) return Promise.reject(new StoreUnavailable('the store is closed'));
      if (queues[priority].length >= queueMax)
        return Promise.reject(new StoreUnavailable('too many units of work are waiting'));
      return new Promise<T>((resolve, reject) => {
        queues[priority].push({ work, resolve: resolve as (value: unknown) => void, reject });
        schedule();
      });
    },
    async close() {
      closed = true;
      while (running || waiting() > 0) await new Promise((resolve) => setImmediate(resolve));
      log.close();
      reader.close();
      writer.close();
    },
  };
}
