/**
 * Deletes old rows, in a round through the tables every hour, in small units of work. After each unit it pauses in
 * proportion to the time that the unit took, its wait for callers included: the busier the database is, the longer.
 * Where tables are partitioned, it creates the partitions to come, and drops old ones instead of their rows.
 */

import type { Database, MaintenanceResult } from '../database/store.ts';
import type { Log } from '../platform/log.ts';
import type { ReportFailure } from '../platform/report.ts';
import { type Job, startWorker, type Worker } from '../platform/worker.ts';
import { deleteOldHanging } from '../webhooks/hanging-addresses.ts';
import { type DeletedBatch, deleteOldUsage, deleteSettledEvents, type UsageKey } from './deletions.ts';
import { PARTITIONED_TABLES } from './partitioned-tables.ts';
import type { Services } from './services.ts';

export interface RetentionOptions {
  /** Days that settled webhooks are kept; 0 keeps them forever. */
  readonly days: number;
  /** Rows that a unit of work scans. */
  readonly batchRows?: number;
  readonly onDeleted: (events: number) => void;
  readonly log: Pick<Log, 'info'>;
}

/** Leaves a starting gateway alone. */
const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** The pause after a unit of work, as a multiple of the time that the unit took. */
const REST_PART = 9;
/** A unit of work takes a few milliseconds. */
const BATCH_ROWS = 250;

const UNPARTITIONED: MaintenanceResult = { dropped: [], kept: [], rowByRow: ['events'] };

type Timed = Pick<Services, 'store' | 'clock'>;

/** Starts the rounds. A failed round is reported, and the next one makes up for it. */
export function startRetention(services: Timed, options: RetentionOptions, report: ReportFailure): Worker {
  const { clock } = services;
  const closing = new AbortController();
  const round = createRound(services, options, closing.signal);
  let dueAt = clock.now() + FIRST_AFTER_MS;
  const job: Job<typeof round> = {
    name: 'retention',
    concurrency: 1,
    pollMs: EVERY_MS,
    nextDue: async () => dueAt,
    async claim() {
      dueAt = clock.now() + EVERY_MS;
      return [round];
    },
    work: (run) => run(),
  };
  const worker = startWorker(job, clock, report);
  return {
    ...worker,
    // Only time creates work for it.
    wake: () => undefined,
    stop() {
      closing.abort();
      return worker.stop();
    },
  };
}

/** A round through the tables, which ends early when the signal is aborted. */
function createRound(
  { store, clock }: Timed,
  { days, batchRows = BATCH_ROWS, onDeleted, log }: RetentionOptions,
  closing: AbortSignal,
): () => Promise<void> {
  /** All sums before this month have been deleted. */
  let usageFrom = '';

  /** Scans a table in batches, and reports how many rows each deleted. */
  async function scan<Key>(
    deleteBatch: (db: Database, after: Key | undefined) => Promise<DeletedBatch<Key>>,
    onBatch: (deleted: number) => void,
  ): Promise<void> {
    let after: Key | undefined;
    do {
      const began = clock.now();
      const batch = await store.unit((db) => deleteBatch(db, after));
      onBatch(batch.deleted);
      after = batch.last;
      const ended = clock.now();
      await clock.until(ended + REST_PART * (ended - began), closing);
    } while (after !== undefined && !closing.aborted);
  }

  function logPartitions({ dropped, kept }: MaintenanceResult): void {
    if (dropped.length > 0) log.info({ partitions: dropped }, 'dropped old partitions');
    if (kept.length > 0) log.info({ partitions: kept }, 'kept old partitions');
  }

  return async () => {
    const now = clock.now();
    const before = now - days * DAY_MS;
    const month = monthBefore(now);
    let events = 0;
    let sums = 0;
    const options = { tables: PARTITIONED_TABLES, now, before: days > 0 ? before : undefined };
    const partitions = (await store.maintainPartitions?.(options)) ?? UNPARTITIONED;
    for (const table of days > 0 ? partitions.rowByRow : []) {
      if (closing.aborted) break;
      await scan<string>(
        (db, after) => deleteSettledEvents(db, before, batchRows, after, table),
        (deleted) => {
          events += deleted;
          onDeleted(deleted);
        },
      );
    }
    if (month !== usageFrom && !closing.aborted) {
      await scan<UsageKey>(
        (db, after) => deleteOldUsage(db, month, batchRows, after),
        (deleted) => {
          sums += deleted;
        },
      );
      usageFrom = month;
    }
    if (!closing.aborted) {
      await scan<true>(
        async (db) => {
          const deleted = await deleteOldHanging(db, now, batchRows);
          return { deleted, last: deleted === batchRows || undefined };
        },
        () => undefined,
      );
    }
    if (events + sums > 0) log.info({ events, usage_sums: sums }, 'deleted old rows');
    logPartitions(partitions);
  };
}

/** The previous month in UTC, such as 2026-02. */
function monthBefore(time: number): string {
  const date = new Date(time);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1)).toISOString().slice(0, 7);
}
