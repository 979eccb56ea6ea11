/** A merchant_order_id makes a creation safe to repeat (contract: `order-id`). */
import { isDeepStrictEqual } from 'node:util';
import { ProblemError } from '../contract/problems.ts';
import { requestOf } from '../contract/request.ts';
import type { Store } from '../store/store.ts';
import { type Kind, type OfKind, transactionByOrderId } from '../store/transactions.ts';

/**
 * The transaction that the same request created before, whatever the order of its members. Throws when the order id was
 * used with another body.
 */
export async function repeated<K extends Kind>(
  { read }: Store,
  { merchantId, kind, orderId }: { readonly merchantId: number; readonly kind: K; readonly orderId: string },
  request: object,
): Promise<OfKind<K>> {
  const existing = await transactionByOrderId(read, merchantId, kind, orderId);
  if (!existing) throw new Error(`order id ${orderId} is taken, but not found`);
  if (!isDeepStrictEqual(requestOf(existing), request)) {
    throw new ProblemError(
      'order-id-reused',
      `${orderId} was created with another body; use a new merchant_order_id, or repeat the first request unchanged.`,
    );
  }
  return existing;
}
