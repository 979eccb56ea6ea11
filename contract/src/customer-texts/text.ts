/** The texts of a language. */
import type { KnownPaymentDeclineReason, KnownPayoutDeclineReason } from '../../../generated/decline-reasons.ts';
import type { OTHER_DECLINES } from '../other-declines.ts';

export interface PayerText {
  /** The decline in words. */
  readonly title: string;
  /** The customer's next step. */
  readonly advice: string;
}

type OtherPaymentReason = keyof typeof OTHER_DECLINES.payment;
type OtherPayoutReason = keyof typeof OTHER_DECLINES.payout;

/** `UNKNOWN` covers every reason without a text. */
export type PayerTexts = Readonly<Record<KnownPaymentDeclineReason | OtherPaymentReason | 'UNKNOWN', PayerText>>;
export type RecipientTexts = Readonly<Record<KnownPayoutDeclineReason | OtherPayoutReason | 'UNKNOWN', PayerText>>;
