/** JSON as the contract reads it: exact numbers, valid UTF-8, and no lone surrogates. */

/** Throws if the bytes aren't valid JSON. Numbers other than safe integers become NaN, which no field accepts. */
export function parseJson(bytes) {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  return JSON.parse(text, (key, value, { source }) => {
    if (![key, value].every(isWellFormed)) throw new SyntaxError('lone surrogate');
    return typeof value === 'number' && !isExactInteger(source) ? NaN : value;
  });
}

const isWellFormed = (value) => typeof value !== 'string' || value.isWellFormed();

/** Whether a literal is a safe integer by its exact value: `100.0` and `1e2` are, `100.00000000000000001` isn't. */
function isExactInteger(source) {
  const [, whole, fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source);
  const trailingZeros = /0*$/.exec(whole + fraction)[0].length;
  const isInteger = Number(exponent) - fraction.length + trailingZeros >= 0;
  return isInteger && Number.isSafeInteger(Number(source));
}
