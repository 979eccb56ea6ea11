// Made from openapi/ by `npm run build`.
// Do not edit: change the contract and run it again.

import type { Payment, PaymentStatus, Payout, PayoutStatus } from './types.ts';

/** Every status of a payment. */
export const paymentStatuses = [
  "CREATED",
  "EXTRA_DATA_NEEDED",
  "PAY_CONFIRMATION_NEEDED",
  "VERIFYING",
  "SUCCESS",
  "FAILED"
] as const satisfies readonly PaymentStatus[];

/** Every status of a payout. */
export const payoutStatuses = [
  "PROCESSING",
  "SUCCESS",
  "FAILED"
] as const satisfies readonly PayoutStatus[];

/** Progress of a status, by kind of transaction: every move of the transition tables leads to a higher rank. */
export const statusRanks = {
  "payment": {
    "CREATED": 0,
    "EXTRA_DATA_NEEDED": 1,
    "PAY_CONFIRMATION_NEEDED": 2,
    "VERIFYING": 3,
    "SUCCESS": 4,
    "FAILED": 4
  },
  "payout": {
    "PROCESSING": 0,
    "SUCCESS": 1,
    "FAILED": 1
  }
} as const satisfies { payment: Record<Payment["status"], number>; payout: Record<Payout["status"], number> };

/** Final statuses. */
export const finalStatuses = [
  "SUCCESS",
  "FAILED"
] as const satisfies readonly (Payment | Payout)["status"][];

/** Statuses that wait for a call of the merchant, with the operation's name. */
export const awaitedCalls = {
  "EXTRA_DATA_NEEDED": "clarifyPayment",
  "PAY_CONFIRMATION_NEEDED": "confirmPayment"
} as const satisfies Partial<Record<Payment["status"], string>>;

/** Fields that only payments have, one of them at least: a transaction without them is a payout. */
export const paymentFields = [
  "payment_method",
  "payment_method_type"
] as const satisfies readonly string[];

/** Paths on which POST creates a transaction; the same request again is safe. */
export const creationPaths = [
  "/payments",
  "/payouts"
] as const satisfies readonly string[];
