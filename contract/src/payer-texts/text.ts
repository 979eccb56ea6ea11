/** The shape of the texts in each language. */

import type { KnownPaymentDeclineReason } from '../../../generated/decline-reasons.ts';
import type { OTHER_DECLINES } from '../other-declines.ts';

export interface PayerText {
  /** The decline in words. */
  readonly title: string;
  /** The payer's next step. */
  readonly advice: string;
}

type OtherReason = keyof typeof OTHER_DECLINES.payment;

/** `UNKNOWN` covers every reason without a text. */
export type PayerTexts = Readonly<Record<KnownPaymentDeclineReason | OtherReason | 'UNKNOWN', PayerText>>;
