/** What customers have moved, by day and month in UTC: sums that are kept, since adding up anew costs more with every transaction. */
import type { Transaction, UsageChange } from '../domain/transaction.ts';
import type { Database } from './store.ts';

/** The customer would go over a limit. The unit of work is undone. */
export class LimitReached extends Error {}

/** Adds to the customer's sums, or takes back from them. Throws LimitReached when a sum would exceed its limit. */
export async function changeUsage(
  db: Database,
  transaction: Transaction,
  { amount, limits }: UsageChange,
): Promise<void> {
  const date = new Date(transaction.createdAt).toISOString();
  const day = keyOf(transaction, date.slice(0, 10));
  const month = keyOf(transaction, date.slice(0, 7));
  if (!limits) {
    await takeBack(db, day, -amount);
    await takeBack(db, month, -amount);
    return;
  }
  await add(db, day, amount, limits.perDay);
  await add(db, month, amount, limits.perMonth);
}

type Key = readonly (string | number)[];

function keyOf({ merchantId, kind, customer, currency }: Transaction, period: string): Key {
  return [merchantId, kind, customer.id, currency, period];
}

async function add(db: Database, key: Key, amount: number, limit: number): Promise<void> {
  if (amount > limit) throw new LimitReached();
  const changed = await db.run(
    `insert into customer_usage (merchant_id, kind, customer_id, currency, period, amount) values (?, ?, ?, ?, ?, ?)
     on conflict (merchant_id, kind, customer_id, currency, period)
     do update set amount = customer_usage.amount + excluded.amount where customer_usage.amount + excluded.amount <= ?`,
    ...key,
    amount,
    limit,
  );
  if (changed === 0) throw new LimitReached();
}

async function takeBack(db: Database, key: Key, amount: number): Promise<void> {
  await db.run(
    `update customer_usage set amount = amount - ?
     where merchant_id = ? and kind = ? and customer_id = ? and currency = ? and period = ?`,
    amount,
    ...key,
  );
}
