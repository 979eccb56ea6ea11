/** What happens to a transaction, and which status follows: the contract's transition table as data. */
import type { PayData } from '../../../generated/types.ts';
import type { Flow, Items, PaymentStatus, PayoutStatus } from './transaction.ts';

export type PaymentEvent =
  | { readonly type: 'clarification_needed'; readonly items: readonly string[] }
  | { readonly type: 'confirmation_needed'; readonly payData: Required<PayData>; readonly confirm: readonly string[] }
  | {
      readonly type: 'clarified';
      readonly items: Items;
      readonly payData: Required<PayData>;
      readonly confirm: readonly string[];
    }
  | { readonly type: 'confirmed'; readonly items: Items }
  | { readonly type: 'paid'; readonly items: Items }
  | { readonly type: 'found_paid' }
  | { readonly type: 'succeeded'; readonly amountPaid: number }
  | { readonly type: 'declined'; readonly reason: string };

/** How the cancellation of a payment ends. */
export type CancelEvent = { readonly type: 'cancelled' } | { readonly type: 'found_paid' };

export type PayoutEvent = { readonly type: 'succeeded' } | { readonly type: 'declined'; readonly reason: string };

type Moves<E extends string, S extends string> = Readonly<Record<E, Readonly<Partial<Record<S, S>>>>>;

/** From which status an event leads to which. What is not listed is not allowed. */
export const PAYMENT_MOVES: Moves<PaymentEvent['type'], PaymentStatus> = {
  clarification_needed: { CREATED: 'EXTRA_DATA_NEEDED' },
  confirmation_needed: { CREATED: 'PAY_CONFIRMATION_NEEDED' },
  clarified: { EXTRA_DATA_NEEDED: 'PAY_CONFIRMATION_NEEDED' },
  confirmed: { PAY_CONFIRMATION_NEEDED: 'VERIFYING' },
  paid: { CREATED: 'VERIFYING' },
  // The channel reports a payment that nobody has confirmed to the gateway.
  found_paid: { CREATED: 'VERIFYING', PAY_CONFIRMATION_NEEDED: 'VERIFYING' },
  succeeded: { VERIFYING: 'SUCCESS' },
  declined: {
    CREATED: 'FAILED',
    EXTRA_DATA_NEEDED: 'FAILED',
    PAY_CONFIRMATION_NEEDED: 'FAILED',
    VERIFYING: 'FAILED',
  },
};

/** Events of one flow only: a payment by redirect asks its customer on the page, and only there it is paid. */
export const PAYMENT_FLOWS: Readonly<Partial<Record<PaymentEvent['type'], Flow>>> = {
  clarification_needed: 'h2h',
  confirmation_needed: 'h2h',
  clarified: 'h2h',
  confirmed: 'h2h',
  paid: 'redirect',
};

export const PAYOUT_MOVES: Moves<PayoutEvent['type'], PayoutStatus> = {
  succeeded: { PROCESSING: 'SUCCESS' },
  declined: { PROCESSING: 'FAILED' },
};

/** Statuses with which a payment and a payout begin. */
export const PAYMENT_OPENINGS = [
  'CREATED',
  'EXTRA_DATA_NEEDED',
  'PAY_CONFIRMATION_NEEDED',
] as const satisfies PaymentStatus[];
export const PAYOUT_OPENINGS = ['PROCESSING'] as const satisfies PayoutStatus[];

/** Statuses that are reported by webhook (the contract's `other-webhooks`: the others are not). */
export const NOTIFIED: ReadonlySet<string> = new Set([
  'EXTRA_DATA_NEEDED',
  'PAY_CONFIRMATION_NEEDED',
  'SUCCESS',
  'FAILED',
]);
