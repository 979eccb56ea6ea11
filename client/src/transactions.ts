/** Reading transactions. */
import { awaitedCalls, finalStatuses } from '../../generated/statuses.ts';
import type { Payment, PaymentBase, PaymentMethodType, Payout } from '../../generated/types.ts';

/** Any response or event that shows a payment or a payout. */
export type Transaction = Payment | Payout;

export type FinalStatus = (typeof finalStatuses)[number];
export type ActionStatus = keyof typeof awaitedCalls;

/** True for SUCCESS and FAILED. */
export function isFinal<T extends { status: string }>(
  transaction: T,
): transaction is Extract<T, { status: FinalStatus }> {
  return (finalStatuses as readonly string[]).includes(transaction.status);
}

/** True when a payment waits for `clarify` or `confirm`. */
export function needsAction<T extends { status: string }>(payment: T): payment is Extract<T, { status: ActionStatus }> {
  return Object.hasOwn(awaitedCalls, payment.status);
}

/** Returns the method of a payment. Responses name it `payment_method` or `payment_method_type`. */
export function paymentMethodOf(payment: PaymentBase): PaymentMethodType | undefined {
  return payment.payment_method ?? payment.payment_method_type;
}
