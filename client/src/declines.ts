/** Texts for decline reasons: the meaning, and what to do about it. */
import { UNKNOWN_DECLINE } from '../../contract/src/unknown-decline.ts';
import {
  type DeclineText,
  findPaymentDeclineReason,
  findPayoutDeclineReason,
} from '../../generated/decline-reasons.ts';
import type { PaymentDeclineReason, PayoutDeclineReason } from '../../generated/types.ts';

export interface Decline extends DeclineText {
  readonly code: string;
  /** False for a code that is not in the contract's tables; its texts are general then. */
  readonly known: boolean;
}

interface Reasons {
  payment: PaymentDeclineReason;
  payout: PayoutDeclineReason;
}

const FIND = { payment: findPaymentDeclineReason, payout: findPayoutDeclineReason };

/** The texts of a `decline_reason`. Payments and payouts have tables of their own. */
export function describeDecline<K extends keyof Reasons>(kind: K, reason: Reasons[K]): Decline {
  const found = FIND[kind](reason);
  return { code: reason, known: found !== undefined, ...(found ?? UNKNOWN_DECLINE) };
}
