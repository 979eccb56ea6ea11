/** What customers have moved, by day and month in UTC. The sums are stored, since recomputing them costs more with every transaction. */
import type { Transaction, UsageLimits } from '../domain/transaction.ts';
import { ALWAYS, type Condition, type Database, type Value } from './store.ts';

/** The month comes first, as it sorts: two units of work lock the sums of a customer in the same order. */
function periodsOf({ createdAt }: Transaction): readonly [month: string, day: string] {
  const date = new Date(createdAt).toISOString();
  return [date.slice(0, 7), date.slice(0, 10)];
}

const CUSTOMER = 'merchant_id, kind, customer_id, currency';

function customerOf({ merchantId, kind, customer, currency }: Transaction): Value[] {
  return [merchantId, kind, customer.id, currency];
}

/**
 * Adds an amount to the customer's sums, which are stored side by side, in one statement. Returns false if a sum would
 * exceed its limit or the condition doesn't hold. On SQLite nothing is written then. On PostgreSQL a race can leave one
 * of the sums changed, so the unit must be undone, as a rejected one is.
 */
export async function addUsage(
  db: Database,
  transaction: Transaction,
  amount: number,
  { perDay, perMonth }: UsageLimits,
  condition: Condition = ALWAYS,
): Promise<boolean> {
  if (amount > Math.min(perDay, perMonth)) return false;
  const customer = customerOf(transaction);
  const [month, day] = periodsOf(transaction);
  const room = [day, perDay - amount, perMonth - amount];
  const changed = await db.run(
    `insert into customer_usage (${CUSTOMER}, period, amount)
     select cast(? as bigint), cast(? as text), cast(? as text), cast(? as text), period, cast(? as bigint)
     from (select cast(? as text) as period union all select cast(? as text)) as periods
     where not exists (select 1 from customer_usage u
         where u.merchant_id = ? and u.kind = ? and u.customer_id = ? and u.currency = ? and u.period in (?, ?)
           and u.amount > case when u.period = ? then cast(? as bigint) else cast(? as bigint) end)
       and ${condition.sql}
     on conflict (${CUSTOMER}, period) do update set amount = customer_usage.amount + excluded.amount
     where customer_usage.amount <= case when excluded.period = ? then cast(? as bigint) else cast(? as bigint) end`,
    ...[...customer, amount, month, day],
    ...[...customer, month, day, ...room],
    ...condition.values,
    ...room,
  );
  return changed === 2;
}

/** Subtracts an amount from the customer's sums, where they are still stored. */
export async function subtractUsage(db: Database, transaction: Transaction, amount: number): Promise<void> {
  await db.run(
    `update customer_usage set amount = amount - ?
     where merchant_id = ? and kind = ? and customer_id = ? and currency = ? and period in (?, ?)`,
    amount,
    ...customerOf(transaction),
    ...periodsOf(transaction),
  );
}
