/** Formats amounts for people. */
import { toDecimal } from '../../../contract/src/amounts.ts';
import { minorUnits as decimalsOf } from '../../../generated/currencies.ts';
import type { Currency } from '../../../generated/types.ts';

/** An amount of minor units in a locale's format, such as `₹4,99,000.00`. */
export function formatAmount(
  minorUnits: number,
  currency: Currency,
  locale: Intl.UnicodeBCP47LocaleIdentifier,
): string {
  const decimals = decimalsOf[currency];
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(toDecimal(minorUnits, decimals));
}
