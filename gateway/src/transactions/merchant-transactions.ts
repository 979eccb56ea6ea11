/** Transactions, newest first, page by page. Ids begin with their time, so they are in the order of their ids. */

import { integer, rowMapper, text } from '../database/row-mapper.ts';
import { keysetPages, whereAll } from '../database/sql.ts';
import type { Database, Row, Value } from '../database/store.ts';
import { ID_PREFIXES, type Transaction } from '../domain/transaction.ts';
import { type CreatedRange, firstId, idRange } from '../platform/ids.ts';
import { parseTransaction, transactionByOrderId } from './rows.ts';
import { listReferences } from './search-keys.ts';

export interface TransactionFilter {
  /** The owner. By default, transactions of all merchants are listed. */
  readonly merchantId?: number | undefined;
  readonly status?: string | undefined;
  readonly method?: string | undefined;
  readonly orderId?: string | undefined;
  readonly customerId?: string | undefined;
  readonly declineReason?: string | undefined;
  /** Part of the id, the order id or the customer's id. */
  readonly search?: string | undefined;
  readonly created?: CreatedRange | undefined;
  /** The amount, or the collected amount. */
  readonly amount?: number | undefined;
  /** A phone, an account or a bank reference, normalized, with the hashes that it may be stored under. */
  readonly reference?: { readonly text: string; readonly hashes: readonly string[] } | undefined;
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
  readonly kind: Transaction['kind'];
  readonly status: string;
  readonly count: number;
}

/** Transactions that a page with a filter, or a count, looks at. */
export const SEARCHED_MAX = 10_000;
/** Maximum number of counted transactions of a list. */
export const LIST_COUNT_MAX = 1_000;

const HOUR_MS = 60 * 60_000;
/** Sorts after every id of its kind, in every collation. */
const LAST = 'Z'.repeat(10);

/**
 * A page of the transactions of a kind, of a merchant or of all. With a filter it may be short, or empty, although there is a
 * next one.
 */
export async function listTransactions(
  db: Database,
  kind: Transaction['kind'],
  filter: TransactionFilter,
  { from, limit }: PageOptions,
): Promise<TransactionPage> {
  const { merchantId, orderId } = filter;
  if (orderId !== undefined) {
    const found = await transactionsOfOrder(db, kind, { merchantId, orderId }, limit);
    return { transactions: found.filter((one) => fits(one, filter)), next: undefined };
  }
  const { created = {}, status, method, customerId, declineReason, search, amount, reference } = filter;
  const range = idRange(ID_PREFIXES[kind], created);
  const scope = whereAll({
    'merchant_id = ?': merchantId,
    'id <= ?': from ?? `${ID_PREFIXES[kind]}_${LAST}`,
    'id > ?': ID_PREFIXES[kind],
    ...{ 'id >= ?': range.from, 'id < ?': range.to },
  });
  if (reference) return listByReference(db, kind, filter, { scope, hashes: reference.hashes, limit });
  const isFiltered = [status, method, customerId, declineReason, search, amount].some((value) => value !== undefined);
  const beyond = isFiltered ? await idAfter(db, scope) : undefined;
  const rows = await db.all(
    `select id, details, state, amount_paid from transactions
     where ${scope.where} and id > ? and kind = ? and status = coalesce(?, status)
       and (cast(? as bigint) is null or amount = ? or amount_paid = ?)
       and state like ? escape '!' and state like ? escape '!' and coalesce(details, state) like ? escape '!'
       and (cast(? as text) is null or ${SEARCHED} like ? escape '!' or lower(${SEARCHED}) like ? escape '!')
     order by id desc limit ?`,
    ...scope.values,
    beyond ?? ID_PREFIXES[kind],
    kind,
    status ?? null,
    ...Array<Value>(3).fill(amount ?? null),
    member('method', method),
    member('declineReason', declineReason),
    member('id', customerId),
    ...[search ?? null, containing(search), containing(search?.toLowerCase())],
    limit + 1,
  );
  return toPage(db, rows, filter, { limit, beyond });
}

/** A page of the transactions with a search key. A transaction may have several of the hashes, by different keys. */
async function listByReference(
  db: Database,
  kind: Transaction['kind'],
  filter: TransactionFilter,
  { scope, hashes, limit }: { readonly scope: Scope; readonly hashes: readonly string[]; readonly limit: number },
): Promise<TransactionPage> {
  // SQLite keeps the order of a cross join.
  const rows = await db.all(
    `select id, details, state, amount_paid
     from (select distinct transaction_id from search_keys where hash in (${hashes.map(() => '?').join(', ')})) k
       cross join transactions
     where id = k.transaction_id and ${scope.where} and kind = ?
     order by id desc limit ?`,
    ...hashes,
    ...scope.values,
    kind,
    limit + 1,
  );
  return toPage(db, rows, filter, { limit });
}

/** A page from up to `limit + 1` rows, of which the filter leaves out a few. `beyond` follows the last row. */
function toPage(
  { keys }: Database,
  rows: readonly Row[],
  filter: TransactionFilter,
  { limit, beyond }: { readonly limit: number; readonly beyond?: string | undefined },
): TransactionPage {
  const transactions = rows.slice(0, limit).map((row) => parseTransaction(row, keys));
  const [following] = rows.slice(limit);
  return {
    transactions: transactions.filter((found) => fits(found, filter)),
    next: following ? text('id')(following) : beyond,
  };
}

/** Transactions per query of an export. */
const EXPORTED_AT_ONCE = 1_000;

/** The transactions of a kind from a range of times, of a merchant or of all, oldest first, page by page. */
export function transactionPages(
  db: Database,
  merchantId: number | undefined,
  kind: Transaction['kind'],
  created: CreatedRange,
): AsyncGenerator<readonly Transaction[]> {
  const { from = ID_PREFIXES[kind], to = `${ID_PREFIXES[kind]}_${LAST}` } = idRange(ID_PREFIXES[kind], created);
  return keysetPages(EXPORTED_AT_ONCE, async (last: Transaction | undefined) => {
    const { where, values } = whereAll({
      ...{ 'merchant_id = ?': merchantId, 'id > ?': last?.id ?? from, 'id < ?': to },
    });
    const rows = await db.all(
      `select id, details, state, amount_paid from transactions where ${where} order by id limit ${EXPORTED_AT_ONCE}`,
      ...values,
    );
    return rows.map((row) => parseTransaction(row, db.keys));
  });
}

/** Counts the transactions that a list has on all its pages: at most LIST_COUNT_MAX, with a filter among the newest SEARCHED_MAX. */
export async function countTransactions(
  db: Database,
  kind: Transaction['kind'],
  filter: TransactionFilter,
): Promise<number> {
  const { transactions } = await listTransactions(db, kind, filter, { limit: LIST_COUNT_MAX });
  return transactions.length;
}

/** Counts the merchant's transactions since a time by hour and status: at most the newest SEARCHED_MAX of each kind. */
export async function countByHour(db: Database, merchantId: number, since: number): Promise<StatusCount[]> {
  const counts: StatusCount[] = [];
  for (const kind of ['payment', 'payout'] as const) {
    const first = `${ID_PREFIXES[kind]}_${LAST}`;
    const rows = await db.all(
      `select hour, status, count(*) as count from
         (select created_at - created_at % ${HOUR_MS} as hour, status from transactions
          where merchant_id = ? and id <= ? and id >= ? and kind = ? order by id desc limit ${SEARCHED_MAX}) as newest
       group by hour, status order by hour, status`,
      ...[merchantId, first, firstId(ID_PREFIXES[kind], since), kind],
    );
    counts.push(...rows.map((row) => ({ ...toCount(row), kind })));
  }
  return counts;
}

const toCount = rowMapper<Omit<StatusCount, 'kind'>>({
  hour: integer('hour'),
  status: text('status'),
  count: integer('count'),
});

/** Conditions on the transactions of a list with their values. */
type Scope = ReturnType<typeof whereAll>;

/** The id at which a search has to stop; undefined if it gets to the end before. */
async function idAfter(db: Database, scope: Scope): Promise<string | undefined> {
  const row = await db.get(
    `select id from transactions where ${scope.where} order by id desc
     limit 1 offset ${SEARCHED_MAX}`,
    ...scope.values,
  );
  return row && text('id')(row);
}

/** The transactions of an order id, of which each merchant can have one. */
async function transactionsOfOrder(
  db: Database,
  kind: Transaction['kind'],
  { merchantId, orderId }: { readonly merchantId: number | undefined; readonly orderId: string },
  limit: number,
): Promise<Transaction[]> {
  if (merchantId !== undefined) {
    const found = await transactionByOrderId(db, merchantId, kind, orderId);
    return found ? [found] : [];
  }
  // Per merchant, to use the index of order ids. SQLite keeps the order of a cross join.
  const rows = await db.all(
    `with found as materialized
       (select t.id, t.details, t.state, t.amount_paid from merchants m cross join transactions t
        where t.merchant_id = m.id and t.kind = ? and t.order_id = ?)
     select * from found order by id desc limit ?`,
    ...[kind, orderId, limit],
  );
  return rows.map((row) => parseTransaction(row, db.keys));
}

/** Everything that a search looks at, and some more. */
const SEARCHED = "(id || ' ' || order_id || ' ' || coalesce(details, state))";

/** A pattern of JSON that contains a text. */
function containing(text = ''): string {
  return `%${JSON.stringify(text).slice(1, -1).replaceAll(/[%_!]/g, '!$&')}%`;
}

/** A pattern for JSON with this member, with any value if none is given. */
function member(name: string, value: string | undefined): string {
  if (value === undefined) return '%';
  return `%${`"${name}":${JSON.stringify(value)}`.replaceAll(/[%_!]/g, '!$&')}%`;
}

function fits(transaction: Transaction, filter: TransactionFilter): boolean {
  const { id, orderId, status, method, customer, createdAt, declineReason, amount } = transaction;
  const amountPaid = transaction.kind === 'payment' ? transaction.amountPaid : undefined;
  const { from = createdAt, before = Number.POSITIVE_INFINITY } = filter.created ?? {};
  return (
    createdAt >= from &&
    createdAt < before &&
    (filter.status ?? status) === status &&
    (filter.method ?? method) === method &&
    (filter.amount === undefined || filter.amount === amount || filter.amount === amountPaid) &&
    (filter.reference === undefined || listReferences(transaction).includes(filter.reference.text)) &&
    (filter.customerId ?? customer.id) === customer.id &&
    (filter.declineReason ?? declineReason) === declineReason &&
    [id, orderId, customer.id].some((text) => text.toLowerCase().includes(filter.search?.toLowerCase() ?? ''))
  );
}
