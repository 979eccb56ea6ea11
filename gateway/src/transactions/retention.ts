/**
 * Deletes old rows of all tables every hour, in small units of work. After each unit it pauses in proportion to the
 * unit's duration, including its wait for callers, so it slows down on a busy database.
 */
import { integer, optional } from '../database/row-mapper.ts';
import type { Database, Value } from '../database/store.ts';
import { firstId } from '../platform/ids.ts';
import type { Log, ReportFailure } from '../platform/log.ts';
import { type Job, startWorker, type Worker } from '../platform/worker.ts';
import { deleteOldHanging } from '../webhooks/hanging-addresses.ts';
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

type Timed = Pick<Services, 'store' | 'clock'>;

/** Starts the sweeps. A failed sweep is reported, and the next one makes up for it. */
export function startRetention(services: Timed, options: RetentionOptions, report: ReportFailure): Worker {
  const { clock } = services;
  const closing = new AbortController();
  const sweep = createSweep(services, options, closing.signal);
  let dueAt = clock.now() + FIRST_AFTER_MS;
  const job: Job<typeof sweep> = {
    name: 'retention',
    concurrency: 1,
    pollMs: EVERY_MS,
    findDue: async () => dueAt,
    async claim() {
      dueAt = clock.now() + EVERY_MS;
      return [sweep];
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

/** A sweep through the tables, which ends early when the signal is aborted. */
function createSweep(
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

  return async () => {
    const now = clock.now();
    const month = monthBefore(now);
    let events = 0;
    let sums = 0;
    if (days > 0) {
      await scan<string>(
        (db, after) => deleteSettledEvents(db, now - days * DAY_MS, batchRows, after),
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
  };
}

/** The previous month in UTC, such as 2026-02. */
function monthBefore(time: number): string {
  const date = new Date(time);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1)).toISOString().slice(0, 7);
}

// Deletes old rows: completed webhooks, and customers' usage of past months. Transactions and ledger entries stay,
// since every balance can be recomputed from them.
//
// A table is scanned in batches, in primary key order. This needs no dedicated index, which every write would pay for,
// and a batch has the same cost whether all or none of its rows are deleted. Several processes may scan concurrently:
// each skips rows that another is deleting.
//
// Limits are part of the statements even where a range can't have more rows. PostgreSQL plans without the values and
// would otherwise expect a share of the whole table.

/** The result of scanning a batch of a table. */
export interface DeletedBatch<Key> {
  /** Number of deleted rows. */
  readonly deleted: number;
  /** The key after which the next batch begins; undefined after the last batch. */
  readonly last: Key | undefined;
}

/** Merchant, kind, customer, currency and period. */
type UsageKey = readonly Value[];

const USAGE_KEY = 'merchant_id, kind, customer_id, currency, period';
const BEFORE_ALL_USAGE: UsageKey = [0, '', '', '', ''];

/**
 * Scans up to `limit` events written before a time, in milliseconds since 1970, and deletes delivered and abandoned
 * ones. Pending events stay, and so does an event that stopped a URL until the URL is resumed.
 */
export async function deleteSettledEvents(
  db: Database,
  before: number,
  limit: number,
  after = '',
): Promise<DeletedBatch<string>> {
  const batch = await db.get(
    `select max(id) as last, count(*) as count
     from (select id from events where id > ? and id < ? order by id limit ${limit}) as batch`,
    after,
    firstId('evt', before),
  );
  const last = optional('last', String)(batch) ?? after;
  // The time is compared too, since some collations don't sort all ids by their time.
  const deleted = await db.run(
    `delete from events where id in
       (select e.id from events e where e.id > ? and e.id <= ? and e.created_at < ? and e.next_at is null
          and not exists (select 1 from stopped_urls s where s.event_id = e.id)
        order by e.id limit ${limit} for update skip locked)`,
    after,
    last,
    before,
  );
  return { deleted, last: integer('count')(batch) === limit ? last : undefined };
}

/**
 * Scans up to `limit` usage rows and deletes those before a month, such as 2026-03. Releasing usage of a deleted row
 * has no effect.
 */
export async function deleteOldUsage(
  db: Database,
  before: string,
  limit: number,
  after = BEFORE_ALL_USAGE,
): Promise<DeletedBatch<UsageKey>> {
  const end = await db.get(
    `select ${USAGE_KEY} from customer_usage where (${USAGE_KEY}) > (?, ?, ?, ?, ?)
     order by ${USAGE_KEY} limit 1 offset ${limit - 1}`,
    ...after,
  );
  const last = end && USAGE_KEY.split(', ').map((column) => end[column] as Value);
  // A month sorts before its own days, so one comparison is right for both.
  const deleted = await db.run(
    `delete from customer_usage where (${USAGE_KEY}) in
       (select ${USAGE_KEY} from customer_usage
        where (${USAGE_KEY}) > (?, ?, ?, ?, ?) ${last ? `and (${USAGE_KEY}) <= (?, ?, ?, ?, ?)` : ''} and period < ?
        order by ${USAGE_KEY} limit ${limit} for update skip locked)`,
    ...after,
    ...(last ?? []),
    before,
  );
  return { deleted, last };
}
