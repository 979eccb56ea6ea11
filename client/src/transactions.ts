/** Reading transactions. */
import { awaitedCalls, finalStatuses, paymentFields } from '../../generated/statuses.ts';
import type { Payment, PaymentCreation, PaymentMethodType, Payout } from '../../generated/types.ts';

/** Any answer or event that shows a payment or a payout. */
export type Transaction = Payment | PaymentCreation | Payout;

export type FinalStatus = (typeof finalStatuses)[number];
export type ActionStatus = keyof typeof awaitedCalls;

/** True when nothing will change any more. */
export function isFinal<T extends { status: string }>(
  transaction: T,
): transaction is Extract<T, { status: FinalStatus }> {
  return (finalStatuses as readonly string[]).includes(transaction.status);
}

/** True when a payment waits for `clarify` or `confirm`. */
export function needsAction<T extends { status: string }>(payment: T): payment is Extract<T, { status: ActionStatus }> {
  return Object.hasOwn(awaitedCalls, payment.status);
}

/** Tells payments from payouts: payments name their method, payouts do not. */
export function kindOf(transaction: object): 'payment' | 'payout' {
  return paymentFields.some((name) => name in transaction) ? 'payment' : 'payout';
}

/** The method of a payment, whichever of its two names the answer uses. */
export function paymentMethodOf(payment: Payment | PaymentCreation): PaymentMethodType | undefined {
  const { payment_method, payment_method_type } = payment as Partial<Record<(typeof paymentFields)[number], string>>;
  return payment_method ?? payment_method_type;
}
