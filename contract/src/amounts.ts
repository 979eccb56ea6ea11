/** Amounts as decimals. How many decimals a currency has is in generated/currencies.ts. */

/** The amount as a decimal for Intl.NumberFormat. It is a string, since a division would round large amounts. */
export function toDecimal(minorUnits: number, decimals: number): Intl.StringNumericLiteral {
  const digits = String(Math.abs(minorUnits)).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${minorUnits < 0 ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}` as Intl.StringNumericLiteral;
}
