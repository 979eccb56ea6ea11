/** A merchant_order_id makes a creation safe to repeat (contract: `order-id`). */
import { hash } from 'node:crypto';
import { ProblemError } from '../contract/problems.ts';
import type { Payment, Payout, Transaction } from '../domain/transaction.ts';
import type { Store } from '../store/store.ts';
import { transactionByOrderId } from '../store/transactions.ts';

/** The hash of a request, whatever the order of its members. */
export function hashOf(body: unknown): string {
  return hash('sha256', JSON.stringify(sorted(body)), 'base64url');
}

/** The transaction that the same request created before. Throws when the order id was used with another body. */
export async function repeated<T extends Payment | Payout>(
  store: Store,
  { merchantId, kind, orderId }: T,
  requestHash: string,
): Promise<T> {
  const existing = await transactionByOrderId(store.read, merchantId, kind as Transaction['kind'], orderId);
  if (!existing) throw new Error(`order id ${orderId} is taken, but not found`);
  if (existing.requestHash !== requestHash) {
    throw new ProblemError(
      'order-id-reused',
      `${orderId} was created with another body; use a new merchant_order_id, or repeat the first request unchanged.`,
    );
  }
  return existing.transaction as T;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}
