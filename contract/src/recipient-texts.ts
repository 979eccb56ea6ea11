/** Texts for customers about declined payouts: the recipient's counterpart of `payerText`. */
import type { PayoutDeclineReason } from '../../generated/types.ts';
import { type PayerTextIn, selectText } from './customer-texts.ts';
import { ar } from './recipient-texts/ar.ts';
import { en } from './recipient-texts/en.ts';
import { fr } from './recipient-texts/fr.ts';
import { hi } from './recipient-texts/hi.ts';

const TEXTS = { en, hi, ar, fr };

/** The text for a payout's `decline_reason`; a general one if it is not known. `locale` is as in `payerText`. */
export function recipientText(reason: PayoutDeclineReason, locale: string | readonly string[] = 'en'): PayerTextIn {
  return selectText(TEXTS, reason, locale);
}
