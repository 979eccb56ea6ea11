/** Texts for customers, in their language: the languages, and the choice of a text. */
import type { PayerText } from './payer-texts/text.ts';

/** The languages that people speak where the contract's currencies are used. */
export const payerLanguages = ['en', 'hi', 'ar', 'fr'] as const;
export type PayerLanguage = (typeof payerLanguages)[number];

/** A decline in the customer's words, and the language that they are in. */
export interface PayerTextIn extends PayerText {
  readonly language: PayerLanguage;
}

type Texts = Readonly<Record<string, PayerText>> & { readonly UNKNOWN: PayerText };

/** The text for a `decline_reason` in the language of `locale`; a general one if the reason is not known. */
export function selectText(
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
