/**
 * Deletes old rows: webhooks that were settled long ago, and customers' usage of past months. Transactions and ledger
 * entries stay: they are the books, from which every balance can be recomputed.
 *
 * A table is scanned in batches, in the order of its primary key. Finding old rows thus needs no index of its own, which
 * every write would pay for, and a batch costs the same whether all of its rows are deleted or none. Several processes
 * may scan at once: each skips the rows that another is deleting.
 *
 * Limits are written into the statements, even where a range cannot have more rows: PostgreSQL plans without knowing the
 * values, and would otherwise expect a share of the whole table and read all of it.
 */
import { firstId } from '../../platform/ids.ts';
import type { Database, Value } from '../engine/store.ts';

/** The result of scanning a batch of a table. */
export interface DeletedBatch<Key> {
  /** Rows that were deleted. */
  readonly deleted: number;
  /** The key after which the next batch begins; undefined after the last batch. */
  readonly last: Key | undefined;
}

/** Merchant, kind, customer, currency and period. */
export type UsageKey = readonly Value[];

const USAGE_KEY = 'merchant_id, kind, customer_id, currency, period';
const BEFORE_ALL_USAGE: UsageKey = [0, '', '', '', ''];

/**
 * Scans up to `limit` events that were written before a time, in milliseconds since 1970, and deletes those that are
 * delivered or abandoned. Pending events stay, and so does the event that stopped a URL, until the URL is resumed. The
 * table may be a partition.
 */
export async function deleteSettledEvents(
  db: Database,
  before: number,
  limit: number,
  after = '',
  table = 'events',
): Promise<DeletedBatch<string>> {
  const batch = await db.get(
    `select max(id) as last, count(*) as count
     from (select id from ${table} where id > ? and id < ? order by id limit ${limit}) as batch`,
    after,
    firstId('evt', before),
  );
  const last = String(batch?.['last'] ?? after);
  // The time is compared too, since some collations don't sort all ids by their time.
  const deleted = await db.run(
    `delete from ${table} where id in
       (select e.id from ${table} e where e.id > ? and e.id <= ? and e.created_at < ? and e.next_at is null
          and not exists (select 1 from stopped_urls s where s.event_id = e.id)
        order by e.id limit ${limit} for update skip locked)`,
    after,
    last,
    before,
  );
  return { deleted, last: batch?.['count'] === limit ? last : undefined };
}

/**
 * Scans up to `limit` sums of customers, and deletes those of the days and months before a month, such as 2026-03.
 * Giving an amount back to a deleted sum changes nothing.
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
