/**
 * Texts for payers about declined payments. `describeDecline` has texts for the merchant: they name fields of the API,
 * and tell the merchant what to do about the payer.
 */
import type { PaymentDeclineReason } from '../../generated/types.ts';
import { type PayerTextIn, selectText } from './customer-texts.ts';
import { ar } from './payer-texts/ar.ts';
import { en } from './payer-texts/en.ts';
import { fr } from './payer-texts/fr.ts';
import { hi } from './payer-texts/hi.ts';

const TEXTS = { en, hi, ar, fr };

/**
 * Returns the text for a `decline_reason`, or a general text for an unknown one. `locale` is a BCP 47 tag such as
 * `fr-MA`, or a list in order of preference such as `navigator.languages`. Defaults to English.
 */
export function payerText(reason: PaymentDeclineReason, locale: string | readonly string[] = 'en'): PayerTextIn {
  return selectText(TEXTS, reason, locale);
}
