/**
 * JSON.parse rounds a literal to the nearest double, so `100.00000000000000001` becomes 100 and `1e400` infinity. Numbers
 * in this contract are integers, and an integer is one by its exact value, as in JSON Schema: `100.0` and `1e2` are 100.
 */

/**
 * Matches wherever a number may have a fraction, an exponent or more digits than any double. It also matches in some
 * strings, which costs only time.
 */
const SUSPECT = /(?:^|[\s:,[])-?(?:\d+[.eE]|\d{309})/;

const LITERAL = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Placeholder for a fraction that was rounded to an integer. Integer schemas reject it as a fraction. */
const FRACTION = 1.5;

/** Parses JSON without rounding a fraction to an integer. Throws a SyntaxError like JSON.parse. */
export function parseExactly(text: string): unknown {
  return SUSPECT.test(text) ? JSON.parse(text, reviveExactly) : JSON.parse(text);
}

function reviveExactly(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  // A schema's maximum isn't compared with infinity.
  if (!Number.isFinite(value)) return Math.sign(value) * Number.MAX_VALUE;
  return Number.isInteger(value) && !isInteger(context.source) ? FRACTION : value;
}

/** Whether the exact value of a JSON number is an integer. */
function isInteger(literal: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = LITERAL.exec(literal) ?? [];
  const digits = whole + fraction;
  // A loop, since a regular expression for zeros at the end is quadratic in the length of the literal.
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return end === 0 || end - whole.length <= Number(exponent);
}
