/** Webhooks that wait to be delivered. They are written with the change that they tell of, and kept afterwards. */
import type { Transaction } from '../domain/transaction.ts';
import { newId } from './ids.ts';
import type { Database } from './store.ts';

/** A delivery that a worker has claimed. */
export interface Delivery {
  readonly id: string;
  readonly merchantId: number;
  readonly transactionId: string;
  readonly url: string;
  readonly address: string;
  readonly body: string;
  /** Attempts made before this one. */
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Adds the event that tells of the transaction as it now is; it is due at once. */
export async function appendEvent(db: Database, transaction: Transaction, body: string, now: number): Promise<void> {
  await db.run(
    `insert into events (id, merchant_id, transaction_id, url, address, body, created_at, attempts, next_at)
     values (?, ?, ?, ?, ?, ?, ?, 0, ?)`,
    newId('evt', now),
    transaction.merchantId,
    transaction.id,
    transaction.callbackUrl,
    new URL(transaction.callbackUrl).origin,
    body,
    now,
    now,
  );
}

/**
 * Takes up to `limit` deliveries that are due, none to the given busy addresses, and keeps other workers away from
 * them until `leaseUntil`.
 */
export async function claimDeliveries(
  db: Database,
  now: number,
  leaseUntil: number,
  limit: number,
  busy: readonly string[],
): Promise<Delivery[]> {
  const others = busy.length > 0 ? `and address not in (${busy.map(() => '?').join(', ')})` : '';
  const rows = await db.all(
    `update events set next_at = ? where id in
       (select id from events where next_at <= ? ${others} order by next_at limit ? for update skip locked)
     returning id, merchant_id, transaction_id, url, address, body, attempts, created_at`,
    leaseUntil,
    now,
    ...busy,
    limit,
  );
  return rows.map((row) => ({
    id: String(row['id']),
    merchantId: Number(row['merchant_id']),
    transactionId: String(row['transaction_id']),
    url: String(row['url']),
    address: String(row['address']),
    body: String(row['body']),
    attempts: Number(row['attempts']),
    createdAt: Number(row['created_at']),
  }));
}

/** Keeps claims alive while their deliveries are still under way. */
export async function renewClaims(db: Database, ids: readonly string[], leaseUntil: number): Promise<void> {
  for (const id of ids)
    await db.run('update events set next_at = ? where id = ? and next_at is not null', leaseUntil, id);
}

/** Writes down how an attempt went. `nextAt` is undefined when there will be no other. */
export async function recordAttempt(
  db: Database,
  id: string,
  outcome: { result: string; deliveredAt?: number; nextAt?: number },
): Promise<void> {
  await db.run(
    'update events set attempts = attempts + 1, last_result = ?, delivered_at = ?, next_at = ? where id = ?',
    outcome.result,
    outcome.deliveredAt ?? null,
    outcome.nextAt ?? null,
    id,
  );
}

/** When the next delivery is due, in milliseconds since 1970. */
export async function nextDueDelivery(db: Database): Promise<number | undefined> {
  const row = await db.get('select min(next_at) as next_at from events where next_at is not null');
  return typeof row?.['next_at'] === 'number' ? row['next_at'] : undefined;
}
