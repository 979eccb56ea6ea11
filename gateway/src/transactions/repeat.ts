/** A merchant_order_id makes a creation safe to repeat (contract: `order-id`). */
import { pointerOf } from '../../../contract/src/pointer.ts';
import type { Store } from '../database/store.ts';
import type { Transaction } from '../domain/transaction.ts';
import { ProblemError } from '../http/problems.ts';
import { requestOf } from './request.ts';
import { type OfKind, transactionByOrderId } from './rows.ts';

/** The most differences that a problem lists (contract: Problem.differences). */
const DIFFERENCES_MAX = 20;

const RISK = { payment: 'the customer could otherwise pay twice', payout: 'the money could otherwise be sent twice' };

/**
 * Returns the transaction created by an earlier request with the same order id and an equal body. Throws the problem
 * `order-id-reused` if the bodies differ.
 */
export async function createdBefore<K extends Transaction['kind']>(
  { read }: Store,
  { merchantId, kind, orderId }: { readonly merchantId: number; readonly kind: K; readonly orderId: string },
  request: object,
): Promise<OfKind<K>> {
  const existing = await transactionByOrderId(read, merchantId, kind, orderId);
  if (!existing) throw new Error(`order id ${orderId} is taken, but not found`);
  const differences = listDifferences(requestOf(existing), request);
  if (differences.length > 0) throw orderIdReused(existing, differences.slice(0, DIFFERENCES_MAX));
  return existing;
}

/** Warns against a new order id, since a caller that lost the first response would then pay twice. */
function orderIdReused({ kind, id, orderId }: Transaction, differences: readonly string[]): ProblemError {
  const names = differences.map((pointer) => pointer.slice(1).replaceAll('/', '.')).join(', ');
  const detail = `A ${kind} with the merchant_order_id ${orderId} exists, created with another ${names}. To repeat it, send the first request unchanged. Use a new merchant_order_id only once that ${kind} is known to have failed, because ${RISK[kind]}.`;
  return new ProblemError('order-id-reused', detail, { members: { transaction_id: id, differences } });
}

/** JSON pointers to the values that differ, ignoring the order of members. Empty if the values are equal. */
function listDifferences(a: unknown, b: unknown, path: readonly string[] = []): string[] {
  const areObjects = typeof a === 'object' && typeof b === 'object' && a !== null && b !== null;
  if (!areObjects || Array.isArray(a) !== Array.isArray(b)) return a === b ? [] : [pointerOf(...path)];
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((name) =>
    Object.hasOwn(left, name) === Object.hasOwn(right, name)
      ? listDifferences(left[name], right[name], [...path, name])
      : [pointerOf(...path, name)],
  );
}
