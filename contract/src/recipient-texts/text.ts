/** The shape of the texts in each language. */

import type { KnownPayoutDeclineReason } from '../../../generated/decline-reasons.ts';
import type { OTHER_DECLINES } from '../other-declines.ts';
import type { PayerText } from '../payer-texts/text.ts';

/** A value that occurs outside the contract's table. */
type OtherReason = keyof typeof OTHER_DECLINES.payout;

/** `UNKNOWN` covers every reason without a text. */
export type RecipientTexts = Readonly<Record<KnownPayoutDeclineReason | OtherReason | 'UNKNOWN', PayerText>>;
