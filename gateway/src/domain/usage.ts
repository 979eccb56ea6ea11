/**
 * A customer's daily and monthly limits. The amount is reserved before the channel or the customer can act, replaced by
 * the collected amount, and released on failure. The store adds it up and rejects a reservation over a limit in the
 * same unit of work, so that two concurrent ones can't both pass.
 */
import { findLimits, type Methods } from './methods.ts';
import type { Step, Transaction } from './transaction.ts';

/** The decline reason of a transaction over a limit, in both tables. */
export const OVER_LIMIT = 'LIMIT_EXCEEDED';

/** The step with `amount` reserved for its transaction, or `overLimit` if it exceeds a limit. */
export function reserveUsage<T extends Transaction>(
  methods: Methods,
  step: Step<T>,
  amount: number,
  overLimit: () => Step<T>,
): Step<T> {
  const { transaction } = step;
  if (transaction.unlimited) return { ...step, transaction: { ...transaction, usageAmount: 0 } };
  const limits = findLimits(methods, transaction);
  const more = amount - (transaction.usageAmount ?? 0);
  if (!limits || more <= 0) return step;
  return {
    ...step,
    transaction: { ...transaction, usageAmount: amount },
    usage: { amount: more, limits },
    overLimit,
  };
}

/** The step with a usage of exactly `amount`, even over a limit, since it has already been moved. */
export function settleUsage<T extends Transaction>(step: Step<T>, amount: number): Step<T> {
  const { transaction } = step;
  const { usageAmount = amount } = transaction;
  if (transaction.unlimited || usageAmount === amount) return step;
  return { ...step, transaction: { ...transaction, usageAmount: amount }, usage: { amount: amount - usageAmount } };
}
