/**
 * Deletes old rows: completed webhooks, and customers' usage of past months. Transactions and ledger entries stay,
 * since every balance can be recomputed from them.
 *
 * A table is scanned in batches, in primary key order. This needs no dedicated index, which every write would pay for,
 * and a batch has the same cost whether all or none of its rows are deleted. Several processes may scan concurrently:
 * each skips rows that another is deleting.
 *
 * Limits are part of the statements even where a range can't have more rows. PostgreSQL plans without the values and
 * would otherwise expect a share of the whole table.
 */

import type { Database, Value } from '../database/store.ts';
import { firstId } from '../platform/ids.ts';

/** The result of scanning a batch of a table. */
export interface DeletedBatch<Key> {
  /** Number of deleted rows. */
  readonly deleted: number;
  /** The key after which the next batch begins; undefined after the last batch. */
  readonly last: Key | undefined;
}

/** Merchant, kind, customer, currency and period. */
export type UsageKey = readonly Value[];

const USAGE_KEY = 'merchant_id, kind, customer_id, currency, period';
const BEFORE_ALL_USAGE: UsageKey = [0, '', '', '', ''];

/**
 * Scans up to `limit` events written before a time, in milliseconds since 1970, and deletes delivered and abandoned
 * ones. Pending events stay, and so does an event that stopped a URL until the URL is resumed. The table may be a
 * partition.
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
