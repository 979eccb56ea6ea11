/**
 * Texts for payers about declined payments. `describeDecline` has texts for the merchant: they name fields of the API,
 * and tell the merchant what to do about the payer.
 */
import type { PaymentDeclineReason } from '../../generated/types.ts';
import { ar } from './payer-texts/ar.ts';
import { en } from './payer-texts/en.ts';
import { fr } from './payer-texts/fr.ts';
import { hi } from './payer-texts/hi.ts';
import type { PayerText, PayerTexts } from './payer-texts/text.ts';

export type { PayerText };

/** The languages that people speak where the contract's currencies are used. */
export const payerLanguages = ['en', 'hi', 'ar', 'fr'] as const;
export type PayerLanguage = (typeof payerLanguages)[number];

const TEXTS: Readonly<Record<PayerLanguage, PayerTexts>> = { en, hi, ar, fr };

/** A decline in the payer's words, and the language that they are in. */
export interface PayerTextIn extends PayerText {
  readonly language: PayerLanguage;
}

/**
 * The text for a `decline_reason`; a general one if it is not known. `locale` is a BCP 47 tag, such as `fr-MA`, or several
 * in the order in which the payer prefers them, such as `navigator.languages`. Without one that has texts, it is English.
 */
export function payerText(reason: PaymentDeclineReason, locale: string | readonly string[] = 'en'): PayerTextIn {
  const language = payerLanguage(locale);
  const texts: Readonly<Record<string, PayerText>> = TEXTS[language];
  const found = Object.hasOwn(texts, reason) ? texts[reason] : undefined;
  return { ...(found ?? TEXTS[language].UNKNOWN), language };
}

/** The first of the languages that has texts, or English. */
export function payerLanguage(locale: string | readonly string[]): PayerLanguage {
  const wanted = [locale].flat().map((tag) => tag.split(/[-_]/, 1)[0]?.toLowerCase());
  return wanted.find((one): one is PayerLanguage => Object.hasOwn(TEXTS, one ?? '')) ?? 'en';
}
