/** What waits for the time of a merchant: transactions with a next step, and webhooks with an attempt to come. */
import type { Database } from './store.ts';
import { parseTransaction } from './transactions.ts';

/** When something waits for is written as the store's time at which it comes, in milliseconds since 1970. */
export interface Waiting {
  readonly id: string;
  readonly due: number;
}

export interface WaitingTransaction extends Waiting {
  /** The merchant's time for which it waits. */
  readonly dueAt: number | undefined;
  /** Its channel is being called, so that `due` is the end of a lease. */
  readonly called: boolean;
}

/** The merchant's transactions that have a next step. */
export async function waitingTransactions(db: Database, merchantId: number): Promise<WaitingTransaction[]> {
  const rows = await db.all(
    `select id, next_attempt_at, state, null as details, amount_paid from transactions
     where merchant_id = ? and next_attempt_at is not null for update`,
    merchantId,
  );
  return rows.map((row) => {
    const { dueAt, attempts } = parseTransaction(row);
    return { id: String(row['id']), due: Number(row['next_attempt_at']), dueAt, called: attempts === 0 };
  });
}

/** The merchant's webhooks that have an attempt to come. */
export async function waitingEvents(db: Database, merchantId: number): Promise<Waiting[]> {
  const rows = await db.all(
    'select id, next_at from events where merchant_id = ? and next_at is not null for update',
    merchantId,
  );
  return rows.map((row) => ({ id: String(row['id']), due: Number(row['next_at']) }));
}

/** Writes another time for a transaction. */
export async function postponeTransaction(db: Database, id: string, due: number): Promise<void> {
  await db.run('update transactions set next_attempt_at = ? where id = ?', due, id);
}

/** Writes another time for a webhook. */
export async function postponeEvent(db: Database, id: string, due: number): Promise<void> {
  await db.run('update events set next_at = ? where id = ?', due, id);
}

/** Whether something of the merchant is due before a time of the store. */
export async function hasDueBefore(db: Database, merchantId: number, time: number): Promise<boolean> {
  const row = await db.get(
    `select case when exists (select 1 from transactions where merchant_id = ? and next_attempt_at < ?)
       or exists (select 1 from events where merchant_id = ? and next_at < ?) then 1 else 0 end as due`,
    merchantId,
    time,
    merchantId,
    time,
  );
  return row?.['due'] === 1;
}

/** The first time of the store, from one on, at which something of the merchant is due. */
export async function firstDueFrom(db: Database, merchantId: number, time: number): Promise<number | undefined> {
  const row = await db.get(
    `select min(due) as due from (
       select min(next_attempt_at) as due from transactions where merchant_id = ? and next_attempt_at >= ?
       union all select min(next_at) from events where merchant_id = ? and next_at >= ?) as waiting`,
    merchantId,
    time,
    merchantId,
    time,
  );
  return typeof row?.['due'] === 'number' ? row['due'] : undefined;
}
