/**
 * Texts for payers about declined payments. `describeDecline` has texts for the merchant: they name fields of the API,
 * and tell the merchant what to do about the payer.
 */
import type { PaymentDeclineReason } from '../../generated/types.ts';
import { type PayerTextIn, textFor } from './customer-texts.ts';
import { ar } from './payer-texts/ar.ts';
import { en } from './payer-texts/en.ts';
import { fr } from './payer-texts/fr.ts';
import { hi } from './payer-texts/hi.ts';

const TEXTS = { en, hi, ar, fr };

/**
 * The text for a `decline_reason`; a general one if it is not known. `locale` is a BCP 47 tag, such as `fr-MA`, or several
 * in the order in which the payer prefers them, such as `navigator.languages`. Without one that has texts, it is English.
 */
export function payerText(reason: PaymentDeclineReason, locale: string | readonly string[] = 'en'): PayerTextIn {
  return textFor(TEXTS, reason, locale);
}
