/**
 * Texts for customers about declined payments and payouts, in their language. `describeDecline` has texts for the
 * merchant: they name fields of the API, and tell the merchant what to do about the customer.
 */
import type { PaymentDeclineReason, PayoutDeclineReason } from '../../generated/types.ts';
import * as ar from './customer-texts/ar.ts';
import * as en from './customer-texts/en.ts';
import * as fr from './customer-texts/fr.ts';
import * as hi from './customer-texts/hi.ts';
import type { PayerText } from './customer-texts/text.ts';

export type { PayerText };

/** The languages that people speak where the contract's currencies are used. */
export const payerLanguages = ['en', 'hi', 'ar', 'fr'] as const;
export type PayerLanguage = (typeof payerLanguages)[number];

/** A decline in the customer's words, and the language that they are in. */
export interface PayerTextIn extends PayerText {
  readonly language: PayerLanguage;
}

const PAYER_TEXTS = { en: en.payer, hi: hi.payer, ar: ar.payer, fr: fr.payer };
const RECIPIENT_TEXTS = { en: en.recipient, hi: hi.recipient, ar: ar.recipient, fr: fr.recipient };

/**
 * Returns the text for a payment's `decline_reason`, or a general text for an unknown one. `locale` is a BCP 47 tag such
 * as `fr-MA`, or a list in order of preference such as `navigator.languages`. Defaults to English.
 */
export function payerText(reason: PaymentDeclineReason, locale: string | readonly string[] = 'en'): PayerTextIn {
  return selectText(PAYER_TEXTS, reason, locale);
}

/** Returns the text for the recipient about a payout's `decline_reason`. `locale` is as in `payerText`. */
export function recipientText(reason: PayoutDeclineReason, locale: string | readonly string[] = 'en'): PayerTextIn {
  return selectText(RECIPIENT_TEXTS, reason, locale);
}

type Texts = Readonly<Record<string, PayerText>> & { readonly UNKNOWN: PayerText };

function selectText(
  texts: Readonly<Record<PayerLanguage, Texts>>,
  reason: string,
  locale: string | readonly string[],
): PayerTextIn {
  const language = payerLanguage(locale);
  const own = texts[language];
  return { ...((Object.hasOwn(own, reason) && own[reason]) || own.UNKNOWN), language };
}

/** The first requested language with texts, or English. */
export function payerLanguage(locale: string | readonly string[]): PayerLanguage {
  const wanted = [locale].flat().map((tag) => tag.split(/[-_]/, 1)[0]?.toLowerCase());
  return wanted.flatMap((tag) => payerLanguages.find((one) => one === tag) ?? [])[0] ?? 'en';
}
