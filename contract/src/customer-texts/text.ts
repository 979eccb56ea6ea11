/** The texts of a language. */
import type { KnownPaymentDeclineReason, KnownPayoutDeclineReason } from '../../../generated/decline-reasons.ts';

export interface PayerText {
  /** The decline in words. */
  readonly title: string;
  /** The customer's next step. */
  readonly advice: string;
}

/** Reasons that occur outside the contract's tables. */
type OtherPaymentReason = 'CANCELLED_BY_CUSTOMER' | 'INSUFFICIENT_FUNDS';
type OtherPayoutReason = 'INVALID_ACCOUNT_NUMBER';

/** `UNKNOWN` covers every reason without a text. */
export type PayerTexts = Readonly<Record<KnownPaymentDeclineReason | OtherPaymentReason | 'UNKNOWN', PayerText>>;
export type RecipientTexts = Readonly<Record<KnownPayoutDeclineReason | OtherPayoutReason | 'UNKNOWN', PayerText>>;
