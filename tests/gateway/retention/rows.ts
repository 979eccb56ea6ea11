/** Old rows: settled and waiting webhooks, and usage of customers. */

import type { Store } from '../../../gateway/src/database/store.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { appendEvent } from '../../../gateway/src/webhooks/outbox.ts';
import { addPayment } from '../harness/fixtures.ts';

export const HOUR_MS = 60 * 60_000;
export const DAY_MS = 24 * HOUR_MS;
export const URL = 'https://shop.example.com/hook';

/** Adds a webhook for each creation time, in milliseconds since 1970. Without a next attempt, they are settled. */
export async function addWebhooks(
  store: Store,
  merchant: Merchant,
  times: readonly number[],
  nextAt: number | null = null,
): Promise<string[]> {
  const payment = await addPayment(store, merchant, { callbackUrl: URL });
  return store.unit(async (db) => {
    for (const time of times)
      await appendEvent(db, { id: randomIds.newId('evt', time), transaction: payment, body: '{}', now: time });
    await db.run('update events set next_at = ? where transaction_id = ?', nextAt, payment.id);
    const rows = await db.all('select id from events where transaction_id = ? order by created_at, id', payment.id);
    return rows.map(({ id }) => String(id));
  });
}

/** The remaining webhooks, in order of creation. */
export async function eventsLeft(store: Store): Promise<string[]> {
  return (await store.read.all('select id from events order by created_at, id')).map(({ id }) => String(id));
}

/** Adds a customer's usage for each period. */
export async function addUsage(
  store: Store,
  { id }: Merchant,
  periods: readonly string[],
  { customer = 'customer-71', currency = 'INR', kind = 'payment' } = {},
): Promise<void> {
  const insert = `insert into customer_usage (merchant_id, kind, customer_id, currency, period, amount)
    values (?, ?, ?, ?, ?, 5)`;
  await store.unit(async (db) => {
    for (const period of periods) await db.run(insert, id, kind, customer, currency, period);
  });
}

/** The distinct periods of the remaining usage rows. */
export async function periodsLeft(store: Store): Promise<string[]> {
  return (await store.read.all('select distinct period from customer_usage order by period')).map(({ period }) =>
    String(period),
  );
}
