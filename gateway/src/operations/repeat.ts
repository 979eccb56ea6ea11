/** A merchant_order_id makes a creation safe to repeat (contract: `order-id`). */
import { isDeepStrictEqual } from 'node:util';
import { archivedOrder } from '../store/books/archived-orders.ts';
import { type Kind, type OfKind, transactionByOrderId } from '../store/books/transactions.ts';
import type { Store } from '../store/engine/store.ts';
import { ProblemError } from '../wire/problems.ts';
import { requestOf } from '../wire/request.ts';

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
  if (!existing) throw await orderOfArchived(read, merchantId, kind, orderId);
  if (!isDeepStrictEqual(requestOf(existing), request)) {
    throw new ProblemError(
      'order-id-reused',
      `${orderId} was created with another body; use a new merchant_order_id, or repeat the first request unchanged.`,
    );
  }
  return existing;
}

/** The problem for an order id of a transaction that can't be compared with the request any more. */
async function orderOfArchived(read: Store['read'], merchantId: number, kind: Kind, orderId: string): Promise<Error> {
  const archived = await archivedOrder(read, merchantId, kind, { orderId });
  if (!archived) return new Error(`order id ${orderId} is taken, but not found`);
  return new ProblemError(
    'order-id-reused',
    `${orderId} belongs to ${archived.transactionId}, which has been archived; use a new merchant_order_id.`,
  );
}
