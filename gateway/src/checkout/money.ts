/** Amounts as people read them. */
import { toDecimal } from '../../../contract/src/amounts.ts';
import { minorUnits as decimalsOf } from '../../../generated/currencies.ts';
import type { Currency } from '../../../generated/types.ts';

/** The page is in English; where a currency groups its digits in its own way, that is kept. */
const LOCALES: Partial<Record<Currency, Intl.UnicodeBCP47LocaleIdentifier>> = { INR: 'en-IN' };

/** An amount of minor units in the currency's own form, such as `₹4,99,000.00`. */
export function formatAmount(minorUnits: number, currency: Currency): string {
  const decimals = decimalsOf[currency];
  return new Intl.NumberFormat(LOCALES[currency] ?? 'en', {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(toDecimal(minorUnits, decimals));
}
