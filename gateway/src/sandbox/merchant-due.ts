/** Rows that wait for a merchant's time: transactions with a next step, and webhooks with a scheduled attempt. */
import { flag, integer, optional, rowMapper, text } from '../database/row-mapper.ts';
import type { Database } from '../database/store.ts';
import { isCalling } from '../domain/schedule.ts';
import { parseStatus } from '../transactions/rows.ts';

/** A row and its due time in the store's clock, in milliseconds since 1970. */
interface Waiting {
  readonly id: string;
  readonly due: number;
}

interface WaitingTransaction extends Waiting {
  /** The merchant's time for which it waits. */
  readonly dueAt: number | undefined;
  /** Its channel is being called, so that `due` is the end of a lease. */
  readonly called: boolean;
}

/** The merchant's transactions with a next step. */
export async function waitingTransactions(db: Database, merchantId: number): Promise<WaitingTransaction[]> {
  const rows = await db.all(
    `select id, next_attempt_at as due, state, amount_paid from transactions
     where merchant_id = ? and next_attempt_at is not null for update`,
    merchantId,
  );
  return rows.map((row) => {
    const transaction = parseStatus(row);
    return { ...toWaiting(row), dueAt: transaction.dueAt, called: isCalling(transaction) };
  });
}

/** The merchant's webhooks that may wait for a later attempt. A new one that can be signed and has not been postponed is due at once. */
export async function waitingEvents(db: Database, merchantId: number): Promise<Waiting[]> {
  const rows = await db.all(
    `select id, next_at as due from events
     where merchant_id = ? and next_at is not null and claim is null and (attempts > 0 or last_result is not null
       or exists (select 1 from webhook_fault_selections f where f.event_id = events.id)) for update`,
    merchantId,
  );
  return rows.map(toWaiting);
}

const toWaiting = rowMapper<Waiting>({ id: text('id'), due: integer('due') });

export async function postponeTransaction(db: Database, id: string, due: number): Promise<void> {
  await db.run('update transactions set next_attempt_at = ? where id = ?', due, id);
}

export async function postponeEvent(db: Database, id: string, due: number): Promise<void> {
  await db.run('update events set next_at = ? where id = ?', due, id);
}

/** Makes a webhook due if it waits for exactly this store time and isn't being attempted. */
export async function makeDue(db: Database, id: string, from: number, to: number): Promise<void> {
  await db.run('update events set next_at = ? where id = ? and next_at = ?', to, id, from);
}

/** Makes due at a time what waits for the times of the store between two others. */
export async function makeDueBetween(
  db: Database,
  merchantId: number,
  { from, to, due }: { readonly from: number; readonly to: number; readonly due: number },
): Promise<void> {
  await db.run(
    'update transactions set next_attempt_at = ? where merchant_id = ? and next_attempt_at between ? and ?',
    ...[due, merchantId, from, to],
  );
  await db.run(
    'update events set next_at = ? where merchant_id = ? and next_at between ? and ?',
    ...[due, merchantId, from, to],
  );
}

/** A merchant's rows due before a store time. */
interface Due {
  readonly transactions: number;
  /** One of the transactions. */
  readonly transactionId: string | undefined;
  readonly events: number;
  /** An address that gets one of the events. */
  readonly address: string | undefined;
}

/** Counts what of the merchant is due before a time of the store. */
export async function dueBefore(db: Database, merchantId: number, time: number): Promise<Due> {
  const transactions = await db.get(
    'select count(*) as count, min(id) as id from transactions where merchant_id = ? and next_attempt_at < ?',
    ...[merchantId, time],
  );
  const events = await db.get(
    'select count(*) as count, min(address) as address from events where merchant_id = ? and next_at < ?',
    ...[merchantId, time],
  );
  return {
    transactions: integer('count')(transactions),
    transactionId: optional('id', String)(transactions),
    events: integer('count')(events),
    address: optional('address', String)(events),
  };
}

/** Whether the merchant has work due before a store time, with or without webhooks. */
export async function hasDueBefore(
  db: Database,
  merchantId: number,
  time: number,
  withEvents = true,
): Promise<boolean> {
  const row = await db.get(
    `select case when exists (select 1 from transactions where merchant_id = ? and next_attempt_at < ?)
       or ${withEvents ? 'exists (select 1 from events where merchant_id = ? and next_at < ?)' : '1 = 0'} then 1 else 0 end as due`,
    ...[merchantId, time, ...(withEvents ? [merchantId, time] : [])],
  );
  return flag('due')(row);
}

/** The first times of the store, from one on, at which a transaction and a webhook of the merchant are due; Infinity for never. */
export async function findFirstDue(
  db: Database,
  merchantId: number,
  time: number,
): Promise<{ readonly transaction: number; readonly event: number }> {
  const row = await db.get(
    `select (select min(next_attempt_at) from transactions where merchant_id = ? and next_attempt_at >= ?) as transaction_due,
       (select min(next_at) from events where merchant_id = ? and next_at >= ?) as event_due`,
    ...[merchantId, time, merchantId, time],
  );
  const readTime = (column: string) => optional(column, Number)(row) ?? Number.POSITIVE_INFINITY;
  return { transaction: readTime('transaction_due'), event: readTime('event_due') };
}
