/** Amounts as people read them. */
import type { Currency } from '../../../generated/types.ts';

/** The page is in English; where a currency groups its digits in its own way, that is kept. */
const LOCALES: Partial<Record<Currency, Intl.UnicodeBCP47LocaleIdentifier>> = { INR: 'en-IN' };

/**
 * An amount of minor units in the currency's own form, such as `₹4,99,000.00`. The decimals are put in as text, since
 * a division would round large amounts.
 */
export function formatAmount(minorUnits: number, currency: Currency): string {
  const format = new Intl.NumberFormat(LOCALES[currency] ?? 'en', { style: 'currency', currency });
  return format.format(decimal(minorUnits, format.resolvedOptions().maximumFractionDigits ?? 0));
}

function decimal(minorUnits: number, digits: number): Intl.StringNumericLiteral {
  const padded = String(minorUnits).padStart(digits + 1, '0');
  const point = padded.length - digits;
  return `${padded.slice(0, point)}.${padded.slice(point)}` as Intl.StringNumericLiteral;
}
