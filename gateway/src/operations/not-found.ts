import type { Transaction } from '../domain/transaction.ts';
import { archivedOrder } from '../store/books/archived-orders.ts';
import type { Database } from '../store/engine/store.ts';
import { ProblemError } from '../wire/problems.ts';
import { timestamp } from '../wire/view.ts';

/** Throws the problem of a transaction that isn't there, and says so if it is because it was archived. */
export async function throwNotFound(
  db: Database,
  merchantId: number,
  kind: Transaction['kind'],
  by: { readonly orderId: string } | { readonly transactionId: string },
): Promise<never> {
  const archived = await archivedOrder(db, merchantId, kind, by);
  if (archived) {
    throw new ProblemError(
      'not-found',
      `The ${kind} ${archived.transactionId} was archived on ${timestamp(archived.archivedAt).slice(0, 10)}. Ask the operator for it.`,
    );
  }
  throw new ProblemError('not-found', `No ${kind} of this merchant has this ${'orderId' in by ? 'order id' : 'id'}.`);
}
