/** What customers have moved, by day and month in UTC. The sums are stored, since recomputing them costs more with every transaction. */
import type { Transaction, UsageLimits } from '../domain/transaction.ts';
import { ALWAYS, type Condition, type ContendedRow, type Database, type Value } from './store.ts';

/** The month comes first, as it sorts: two units of work lock the sums of a customer in the same order. */
function periodsOf(time: number): readonly [month: string, day: string] {
  const date = new Date(time).toISOString();
  return [date.slice(0, 7), date.slice(0, 10)];
}

const CUSTOMER = 'merchant_id, kind, customer_id, currency';

function customerOf({ merchantId, kind, customer, currency }: Transaction): Value[] {
  return [merchantId, kind, customer.id, currency];
}

/** The customer's sums, as rows that units of work contend for. */
export function usageRows(transaction: Transaction): ContendedRow[] {
  const customer = customerOf(transaction);
  return periodsOf(transaction.createdAt).map((period) => ({ table: 'customer_usage', key: [...customer, period] }));
}

/**
 * Adds an amount to the customer's sums, which are stored side by side, in one statement. Returns false if a sum would
 * exceed its limit or the condition doesn't hold; the unit must be rejected then.
 */
export async function addUsage(
  db: Database,
  transaction: Transaction,
  amount: number,
  { perDay, perMonth }: UsageLimits,
  condition: Condition = ALWAYS,
): Promise<boolean> {
  if (amount > Math.min(perDay, perMonth)) return false;
  const [month, day] = periodsOf(transaction.createdAt);
  return db.runExactly(
    2,
    `insert into customer_usage (${CUSTOMER}, period, amount)
     select cast(? as bigint), cast(? as text), cast(? as text), cast(? as text), period, cast(? as bigint)
     from (select cast(? as text) as period union all select cast(? as text)) as periods where ${condition.sql}
     on conflict (${CUSTOMER}, period) do update set amount = customer_usage.amount + excluded.amount
     where customer_usage.amount <= case when excluded.period = ? then cast(? as bigint) else cast(? as bigint) end`,
    ...[...customerOf(transaction), amount, month, day],
    ...condition.values,
    ...[day, perDay - amount, perMonth - amount],
  );
}

/** Subtracts an amount from the customer's sums, where they are still stored. */
export async function subtractUsage(db: Database, transaction: Transaction, amount: number): Promise<void> {
  await db.run(
    `update customer_usage set amount = amount - ?
     where merchant_id = ? and kind = ? and customer_id = ? and currency = ? and period in (?, ?)`,
    amount,
    ...customerOf(transaction),
    ...periodsOf(transaction.createdAt),
  );
}

/** Whose usage it is. */
export interface Usage {
  readonly merchantId: number;
  readonly kind: Transaction['kind'];
  readonly customerId: string;
  readonly currency: string;
}

/** Sets the customer's sums of the day and the month of a time to an amount, unless they are higher. */
export async function useUp(
  db: Database,
  { merchantId, kind, customerId, currency }: Usage,
  amount: number,
  time: number,
): Promise<void> {
  for (const period of periodsOf(time)) {
    await db.run(
      `insert into customer_usage (${CUSTOMER}, period, amount) values (?, ?, ?, ?, ?, ?)
       on conflict (${CUSTOMER}, period) do update set amount = excluded.amount
       where customer_usage.amount < excluded.amount`,
      ...[merchantId, kind, customerId, currency, period, amount],
    );
  }
}
