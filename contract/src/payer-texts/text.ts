/** The shape of the texts in each language. */
import type { KnownPaymentDeclineReason } from '../../../generated/decline-reasons.ts';

export interface PayerText {
  /** The decline in words. */
  readonly title: string;
  /** The payer's next step. */
  readonly advice: string;
}

/** Values that occur outside the contract's table. */
type OtherReason = 'CANCELLED_BY_CUSTOMER' | 'INSUFFICIENT_FUNDS';

/** `UNKNOWN` covers every reason without a text. */
export type PayerTexts = Readonly<Record<KnownPaymentDeclineReason | OtherReason | 'UNKNOWN', PayerText>>;
