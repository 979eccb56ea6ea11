/**
 * Deletes what nobody asks for any more: webhooks that were settled long ago, and what customers have moved in months
 * that are over. Transactions and ledger entries are never deleted: they are the books, from which every balance can
 * be recomputed, and an order id must stay taken.
 *
 * A table is gone through in the order of its primary key, a piece after the other. Finding old rows thus needs no
 * index of its own, for which every write would pay, and a piece costs the same whether all of it goes or nothing.
 * Several processes may do so at once: each passes over the rows that another is deleting.
 *
 * Limits are written into the statements, also where a range has no more rows than that anyway: PostgreSQL plans for
 * values that it does not know, and would otherwise expect a part of the whole table and read all of it.
 */
import { firstId } from '../platform/ids.ts';
import type { Database, Value } from './store.ts';

/** A piece of a table, from behind one key to another. */
export interface Piece<Key> {
  /** Rows that were deleted. */
  readonly deleted: number;
  /** The key behind which the next piece begins; undefined when this was the last. */
  readonly last: Key | undefined;
}

/** Merchant, kind, customer, currency and period. */
export type UsageKey = readonly Value[];

const USAGE_KEY = 'merchant_id, kind, customer_id, currency, period';
const BEFORE_ALL_USAGE: UsageKey = [0, '', '', '', ''];

/**
 * Looks at up to `limit` events that were written before a time, in milliseconds since 1970, and deletes those that are
 * delivered or given up. What still waits stays, and so does an event for which a URL is stopped, until it is resumed.
 */
export async function deleteSettledEvents(
  db: Database,
  before: number,
  limit: number,
  after = '',
): Promise<Piece<string>> {
  const piece = await db.get(
    `select max(id) as last, count(*) as count
     from (select id from events where id > ? and id < ? order by id limit ${limit}) as piece`,
    after,
    firstId('evt', before),
  );
  const last = String(piece?.['last'] ?? after);
  // The time is compared as well, since there are collations that do not sort all ids by their time.
  const deleted = await db.run(
    `delete from events where id in
       (select e.id from events e where e.id > ? and e.id <= ? and e.created_at < ? and e.next_at is null
          and not exists (select 1 from stopped_urls s where s.event_id = e.id)
        order by e.id limit ${limit} for update skip locked)`,
    after,
    last,
    before,
  );
  return { deleted, last: piece?.['count'] === limit ? last : undefined };
}

/**
 * Looks at up to `limit` sums of customers, and deletes those of the days and months before a month, such as 2026-03.
 * What is given back to a sum that is gone changes nothing.
 */
export async function deleteOldUsage(
  db: Database,
  before: string,
  limit: number,
  after = BEFORE_ALL_USAGE,
): Promise<Piece<UsageKey>> {
  const end = await db.get(
    `select ${USAGE_KEY} from customer_usage where (${USAGE_KEY}) > (?, ?, ?, ?, ?)
     order by ${USAGE_KEY} limit 1 offset ${limit - 1}`,
    ...after,
  );
  const last = end && USAGE_KEY.split(', ').map((column) => end[column] as Value);
  // A month sorts before its own days, so that one comparison is right for months and days.
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
