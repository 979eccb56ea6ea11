/** Texts for decline reasons: meaning, cause and suggested action. */
import { UNKNOWN_DECLINE } from '../../contract/src/other-declines.ts';
import {
  type DeclineText,
  findPaymentDeclineReason,
  findPayoutDeclineReason,
} from '../../generated/decline-reasons.ts';
import type { PaymentDeclineReason, PayoutDeclineReason } from '../../generated/types.ts';

export interface Decline extends DeclineText {
  readonly code: string;
  /** False for codes outside the contract's tables, which get general texts. */
  readonly known: boolean;
}

interface Reasons {
  payment: PaymentDeclineReason;
  payout: PayoutDeclineReason;
}

const FIND = { payment: findPaymentDeclineReason, payout: findPayoutDeclineReason };

/** Returns the texts of a `decline_reason`. Payments and payouts have separate tables. */
export function describeDecline<K extends keyof Reasons>(kind: K, reason: Reasons[K]): Decline {
  const found = FIND[kind](reason);
  return { code: reason, known: found !== undefined, ...(found ?? UNKNOWN_DECLINE) };
}
