/** What customers have moved, by day and month in UTC: sums that are kept, since adding up anew costs more with every transaction. */
import type { Transaction, UsageChange } from '../domain/transaction.ts';
import type { Database, Value } from './store.ts';

/** The customer would go over a limit. The unit of work is undone. */
export class LimitReached extends Error {}

/** Adds to the customer's sums, or takes back from them. Throws LimitReached when a sum would exceed its limit. */
export async function changeUsage(
  db: Database,
  transaction: Transaction,
  { amount, limits }: UsageChange,
): Promise<void> {
  const date = new Date(transaction.createdAt).toISOString();
  const periods = { day: date.slice(0, 10), month: date.slice(0, 7) };
  if (limits) await add(db, customerOf(transaction), periods, amount, limits);
  else await takeBack(db, customerOf(transaction), periods, -amount);
}

type Periods = Readonly<Record<'day' | 'month', string>>;

function customerOf({ merchantId, kind, customer, currency }: Transaction): Value[] {
  return [merchantId, kind, customer.id, currency];
}

/** Both sums in one statement: they lie side by side. */
async function add(
  db: Database,
  customer: Value[],
  { day, month }: Periods,
  amount: number,
  { perDay, perMonth }: NonNullable<UsageChange['limits']>,
): Promise<void> {
  if (amount > Math.min(perDay, perMonth)) throw new LimitReached();
  const changed = await db.run(
    `insert into customer_usage (merchant_id, kind, customer_id, currency, period, amount)
     values (?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?)
     on conflict (merchant_id, kind, customer_id, currency, period)
     do update set amount = customer_usage.amount + excluded.amount
     where customer_usage.amount + excluded.amount
       <= case when excluded.period = ? then cast(? as bigint) else cast(? as bigint) end`,
    ...[...customer, month, amount],
    ...[...customer, day, amount],
    day,
    perDay,
    perMonth,
  );
  if (changed < 2) throw new LimitReached();
}

async function takeBack(db: Database, customer: Value[], { day, month }: Periods, amount: number): Promise<void> {
  await db.run(
    `update customer_usage set amount = amount - ?
     where merchant_id = ? and kind = ? and customer_id = ? and currency = ? and period in (?, ?)`,
    amount,
    ...customer,
    month,
    day,
  );
}
