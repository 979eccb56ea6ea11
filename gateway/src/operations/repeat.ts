/** A merchant_order_id makes a creation safe to repeat (contract: `order-id`). */
import type { Transaction } from '../domain/transaction.ts';
import { type OfKind, transactionByOrderId } from '../store/books/transactions.ts';
import type { Store } from '../store/engine/store.ts';
import { ProblemError } from '../wire/problems.ts';
import { requestOf } from '../wire/request.ts';

/**
 * The transaction that the same request created before, whatever the order of its members. Throws when the order id was
 * used with another body.
 */
export async function createdBefore<K extends Transaction['kind']>(
  { read }: Store,
  { merchantId, kind, orderId }: { readonly merchantId: number; readonly kind: K; readonly orderId: string },
  request: object,
): Promise<OfKind<K>> {
  const existing = await transactionByOrderId(read, merchantId, kind, orderId);
  if (!existing) throw new Error(`order id ${orderId} is taken, but not found`);
  if (!isSameJson(requestOf(existing), request)) {
    throw new ProblemError(
      'order-id-reused',
      `${orderId} was created with another body; use a new merchant_order_id, or repeat the first request unchanged.`,
    );
  }
  return existing;
}

/** Whether two values are the same JSON, whatever the order of members. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every(
    (name) => Object.hasOwn(left, name) === Object.hasOwn(right, name) && isSameJson(left[name], right[name]),
  );
}
