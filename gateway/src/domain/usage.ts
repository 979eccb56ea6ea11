/**
 * A customer's limits by day and month. A transaction counts from its first step past the rules until it fails. The
 * store adds it up and refuses what goes over a limit in the same unit of work, so that two at once cannot both pass.
 */
import { findMethod } from './methods.ts';
import type { Step, Transaction, UsageChange } from './transaction.ts';

/** The decline reason of a transaction that would go over a limit; both tables have it. */
export const OVER_LIMIT = 'LIMIT_EXCEEDED';

/** The step with the transaction counted, unless it already is or has failed. */
export function counted<T extends Transaction>(step: Step<T>): Step<T> {
  const { transaction } = step;
  const method = findMethod(transaction.kind, transaction.method);
  if (transaction.counted || transaction.status === 'FAILED' || !method) return step;
  return {
    ...step,
    transaction: { ...transaction, counted: true },
    usage: { amount: transaction.amount, limits: method.limits },
  };
}

/** What a failure gives back. */
export function givenBack({ counted: isCounted, amount }: Transaction): { usage?: UsageChange } {
  return isCounted ? { usage: { amount: -amount } } : {};
}
