/** Amounts: minor units in calls, text for people. Divisions would round large amounts, so decimals are built as text. */
import { toDecimal } from '../../contract/src/amounts.ts';
import { minorUnits } from '../../generated/currencies.ts';
import type { Currency } from '../../generated/types.ts';

export interface FormatOptions extends Omit<Intl.NumberFormatOptions, 'currency'> {
  /** Such as `ar-EG`; the machine's own by default. */
  locale?: string | undefined;
}

/** An amount as people write it, such as `₹499.00` for 49900. Throws a RangeError for everything but an integer of minor units. */
export function formatMoney(amount: number, currency: Currency, options: FormatOptions = {}): string {
  const digits = readDigits(currency);
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is not a whole number of minor units`);
  const { locale, style = 'currency', minimumFractionDigits: least, maximumFractionDigits: most } = options;
  return new Intl.NumberFormat(locale, {
    ...options,
    style,
    currency,
    minimumFractionDigits: least ?? Math.min(digits, most ?? digits),
    maximumFractionDigits: most ?? Math.max(digits, least ?? digits),
  }).format(toDecimal(amount, digits));
}

/**
 * Minor units of a plain decimal, such as 49900 for `499` or `499.00`. Throws a RangeError for everything else: signs,
 * grouping, commas, exponents, and more decimals than the currency has.
 */
export function parseMoney(text: string, currency: Currency): number {
  const digits = readDigits(currency);
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (!whole) throw new RangeError(`'${text}' is not an amount; write it like 1234.50, without signs and grouping`);
  if (fraction.length > digits) throw new RangeError(`'${text}' has more than the ${digits} decimals of ${currency}`);
  const amount = Number(whole + fraction.padEnd(digits, '0'));
  if (!Number.isSafeInteger(amount)) throw new RangeError(`'${text}' is more than can be sent`);
  return amount;
}

function readDigits(currency: Currency): number {
  if (Object.hasOwn(minorUnits, currency)) return minorUnits[currency];
  throw new RangeError(`'${currency}' is none of ${Object.keys(minorUnits).join(', ')}`);
}
