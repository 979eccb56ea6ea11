/** Transactions with an open exception: their channel contradicts their final status. */

import { integer } from '../database/row-mapper.ts';
import type { Database } from '../database/store.ts';
import type { Transaction } from '../domain/transaction.ts';
import { parseTransaction } from './rows.ts';

/** More aren't counted. */
export const EXCEPTION_COUNT_MAX = 1_000;

/** The place of a transaction in the list. */
export interface ExceptionCursor {
  /** Time of its oldest open exception, in milliseconds since 1970. */
  readonly at: number;
  readonly id: string;
}

/** The transactions with an open exception after one, the longest open first. */
export async function contradictedTransactions(
  db: Database,
  { after, limit }: { readonly after?: ExceptionCursor | undefined; readonly limit: number },
): Promise<Transaction[]> {
  const rows = await db.all(
    `select id, details, state, amount_paid from transactions
     where exception_at is not null and (exception_at, id) > (?, ?) order by exception_at, id limit ?`,
    ...[after?.at ?? 0, after?.id ?? '', limit],
  );
  return rows.map((row) => parseTransaction(row, db.keys));
}

/** Counts the transactions with an open exception. */
export async function countExceptions(db: Database): Promise<number> {
  const row = await db.get(
    `select count(*) as count from
       (select 1 from transactions where exception_at is not null limit ${EXCEPTION_COUNT_MAX}) as counted`,
  );
  return integer('count')(row);
}
