/** Explains a decline: the contract's texts, and the method's limits with their usage. */
import { type DeclineText, paymentDeclineReasons, payoutDeclineReasons } from '../../../generated/decline-reasons.ts';
import type { DeclineExplanation, LimitUse } from '../../../generated/management/types.ts';
import type { Database } from '../database/store.ts';
import { listChanges } from '../domain/history.ts';
import { findMethod, type Methods } from '../domain/methods.ts';
import type { Transaction } from '../domain/transaction.ts';
import { readUsage } from '../transactions/customer-usage.ts';

const TEXTS: Readonly<Record<Transaction['kind'], Readonly<Record<string, DeclineText>>>> = {
  payment: paymentDeclineReasons,
  payout: payoutDeclineReasons,
};

/** Reasons that can be about a limit. */
const ABOUT_LIMITS: ReadonlySet<string> = new Set(['LIMIT_EXCEEDED', 'INVALID_AMOUNT']);

/** Undefined for a transaction that wasn't declined. */
export async function explainDecline(
  db: Database,
  methods: Methods,
  transaction: Transaction,
): Promise<DeclineExplanation | undefined> {
  const { declineReason: reason, kind } = transaction;
  if (reason === undefined) return undefined;
  const texts = Object.hasOwn(TEXTS[kind], reason) ? TEXTS[kind][reason] : undefined;
  const limits = ABOUT_LIMITS.has(reason) ? await readLimits(db, methods, transaction) : undefined;
  return {
    reason,
    by: listChanges(transaction).at(-1)?.by ?? 'gateway',
    ...texts,
    ...(limits && { limits }),
  };
}

async function readLimits(db: Database, methods: Methods, transaction: Transaction): Promise<LimitUse[] | undefined> {
  const { amount, kind, method, counted = 0 } = transaction;
  const limits = findMethod(methods, kind, method)?.limits;
  if (!limits) return undefined;
  const { day, month } = await readUsage(db, transaction);
  const sum = (limit: 'per_day' | 'per_month', most: number, used: number): LimitUse => {
    const value = used - counted;
    return { limit, amount: most, value, exceeded: value + amount > most };
  };
  return [
    { limit: 'min', amount: limits.min, value: amount, exceeded: amount < limits.min },
    { limit: 'max', amount: limits.max, value: amount, exceeded: amount > limits.max },
    sum('per_day', limits.perDay, day),
    sum('per_month', limits.perMonth, month),
  ];
}
