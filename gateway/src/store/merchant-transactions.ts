/** A merchant's transactions, newest first, page by page. Ids begin with their time, so they are in the order of their ids. */
import type { Transaction } from '../domain/transaction.ts';
import { firstId } from '../platform/ids.ts';
import type { Database } from './store.ts';
import { type Kind, parseTransaction, transactionByOrderId } from './transactions.ts';

export interface TransactionFilter {
  readonly status?: string | undefined;
  readonly method?: string | undefined;
  readonly orderId?: string | undefined;
  readonly customerId?: string | undefined;
}

export interface PageOptions {
  /** The id at which the page begins; the newest by default. */
  readonly from?: string | undefined;
  readonly limit: number;
}

export interface TransactionPage {
  readonly transactions: readonly Transaction[];
  /** The id at which the next page begins; undefined on the last. */
  readonly next: string | undefined;
}

/** Created in an hour of the merchant's time. */
export interface StatusCount {
  /** Milliseconds since 1970. */
  readonly hour: number;
  readonly kind: Kind;
  readonly status: string;
  readonly count: number;
}

/** Transactions that a page with a filter, or a count, looks at. */
export const SEARCHED_MAX = 10_000;

const HOUR_MS = 60 * 60_000;
const PREFIX = { payment: 'pay', payout: 'out' } as const;
/** Sorts after every id of its kind, in every collation. */
const LAST = 'Z'.repeat(10);

/** A page of the merchant's transactions of a kind. With a filter it may be short, or empty, although there is a next one. */
export async function listTransactions(
  db: Database,
  merchantId: number,
  kind: Kind,
  filter: TransactionFilter,
  { from, limit }: PageOptions,
): Promise<TransactionPage> {
  if (filter.orderId !== undefined) {
    const found = await transactionByOrderId(db, merchantId, kind, filter.orderId);
    return { transactions: found && fits(found, filter) ? [found] : [], next: undefined };
  }
  const first = from ?? `${PREFIX[kind]}_${LAST}`;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const beyond = isFiltered ? await idAfter(db, merchantId, kind, first) : undefined;
  const rows = await db.all(
    `select id, details, state, amount_paid from transactions
     where merchant_id = ? and id <= ? and id > ? and kind = ? and status = coalesce(?, status)
       and state like ? escape '!' and coalesce(details, state) like ? escape '!'
     order by id desc limit ?`,
    merchantId,
    first,
    beyond ?? PREFIX[kind],
    kind,
    filter.status ?? null,
    member('method', filter.method),
    member('id', filter.customerId),
    limit + 1,
  );
  // The patterns find a few too many.
  const transactions = rows
    .slice(0, limit)
    .map(parseTransaction)
    .filter((found) => fits(found, filter));
  const following = rows[limit]?.['id'];
  return { transactions, next: following === undefined ? beyond : String(following) };
}

/** Counts the merchant's transactions since a time by hour and status: at most the newest SEARCHED_MAX of each kind. */
export async function countByHour(db: Database, merchantId: number, since: number): Promise<StatusCount[]> {
  const counts: StatusCount[] = [];
  for (const kind of ['payment', 'payout'] as const) {
    const first = `${PREFIX[kind]}_${LAST}`;
    const rows = await db.all(
      `select hour, status, count(*) as count from
         (select created_at - created_at % ${HOUR_MS} as hour, status from transactions
          where merchant_id = ? and id <= ? and id >= ? and kind = ? order by id desc limit ${SEARCHED_MAX}) as newest
       group by hour, status order by hour, status`,
      ...[merchantId, first, firstId(PREFIX[kind], since), kind],
    );
    counts.push(
      ...rows.map(({ hour, status, count }) => ({
        ...{ hour: Number(hour), kind },
        ...{ status: String(status), count: Number(count) },
      })),
    );
  }
  return counts;
}

/** The id at which the search from an id on has to stop; undefined if it gets to the end before. */
async function idAfter(db: Database, merchantId: number, kind: Kind, first: string): Promise<string | undefined> {
  const row = await db.get(
    `select id from transactions where merchant_id = ? and id <= ? and id > ? order by id desc
     limit 1 offset ${SEARCHED_MAX}`,
    ...[merchantId, first, PREFIX[kind]],
  );
  return row && String(row['id']);
}

/** A pattern of the JSON that has this member; without a value, of any. */
function member(name: string, value: string | undefined): string {
  if (value === undefined) return '%';
  return `%${`"${name}":${JSON.stringify(value)}`.replaceAll(/[%_!]/g, '!$&')}%`;
}

function fits({ status, method, customer }: Transaction, filter: TransactionFilter): boolean {
  return (
    (filter.status ?? status) === status &&
    (filter.method ?? method) === method &&
    (filter.customerId ?? customer.id) === customer.id
  );
}
