/** The language of a payment page: the customer's choice, or else the browser's preference. */
import { parseAccept } from 'hono/utils/accept';
import { type PayerLanguage, payerLanguage, payerLanguages } from '../../../contract/src/customer-texts.ts';
import type { Currency } from '../../../generated/types.ts';
import { ar } from './texts/ar.ts';
import { en } from './texts/en.ts';
import { fr } from './texts/fr.ts';
import { hi } from './texts/hi.ts';
import type { PageTexts } from './texts/text.ts';

export interface Language {
  readonly code: PayerLanguage;
  readonly direction: 'ltr' | 'rtl';
  readonly texts: PageTexts;
  /** The customer chose it, so the page's links and forms keep it. */
  readonly chosen: boolean;
}

/** The languages with their own names. */
export const LANGUAGES: readonly { readonly code: PayerLanguage; readonly name: string }[] = payerLanguages.map(
  (code) => ({ code, name: new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code }),
);

const TEXTS: Readonly<Record<PayerLanguage, PageTexts>> = { en, hi, ar, fr };
const RIGHT_TO_LEFT: ReadonlySet<PayerLanguage> = new Set(['ar']);

/** The country of each currency, whose format the page uses for amounts and times. */
const COUNTRIES: Readonly<Record<Currency, string>> = { INR: 'IN', EGP: 'EG', MAD: 'MA', DZD: 'DZ' };

/** The language of a request by its query (`lang=fr`) and its Accept-Language. */
export function selectLanguage(query: URLSearchParams, acceptLanguage: string | undefined): Language {
  const wanted = query.get('lang');
  const chosen = payerLanguages.find((code) => code === wanted);
  const code = chosen ?? payerLanguage(acceptedLanguages(acceptLanguage ?? ''));
  return {
    code,
    direction: RIGHT_TO_LEFT.has(code) ? 'rtl' : 'ltr',
    texts: TEXTS[code],
    chosen: chosen !== undefined,
  };
}

/** The query string that keeps a chosen language, including its question mark. */
export function languageQuery({ code, chosen }: Language): string {
  return chosen ? `?lang=${code}` : '';
}

/** The locale for amounts and times, since India groups digits differently. */
export function selectLocale({ code }: Language, currency: Currency): string {
  return `${code}-${COUNTRIES[currency]}`;
}

/** Letters of right-to-left scripts. */
const FROM_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** Fills values into a text. Each value is isolated, since its direction may differ. */
export function interpolate({ direction }: Language, text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return direction === 'rtl' || FROM_RIGHT.test(value) ? `\u2068${value}\u2069` : value;
  });
}

/** Languages of an Accept-Language header, by preference. */
function acceptedLanguages(header: string): string[] {
  return parseAccept(header).flatMap(({ type, q }) => (q > 0 ? [type] : []));
}
