/** Amounts are integers in the minor unit of their currency. Whoever shows or reads them as decimals uses these. */
import type { Currency } from '../../generated/types.ts';

/** Decimals by ISO 4217. The tables of Intl follow usage instead, and differ between engines. */
export const DECIMALS: Readonly<Record<Currency, number>> = { INR: 2, EGP: 2, MAD: 2, DZD: 2 };

/** The amount as a decimal for Intl.NumberFormat. It is a string, since a division would round large amounts. */
export function toDecimal(minorUnits: number, decimals: number): Intl.StringNumericLiteral {
  const digits = String(Math.abs(minorUnits)).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${minorUnits < 0 ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}` as Intl.StringNumericLiteral;
}
