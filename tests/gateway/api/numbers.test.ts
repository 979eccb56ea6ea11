/** Amounts are validated by the exact value of their literal, which JSON.parse alone would round. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactly } from '../../../gateway/src/http/body.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { startTestGateway } from '../harness.ts';

const AMOUNT_MAX = 2n ** 53n - 1n;
const NOT_AN_INTEGER = 'must be an integer, without decimals';
const TOO_LARGE = 'must be at most 9007199254740991';
const TOO_SMALL = 'must be at least 1';

function bodyWithAmount(literal: string): string {
  return JSON.stringify(paymentRequest({ amount: 1 })).replace('"amount":1', `"amount":${literal}`);
}

describe('an amount', () => {
  it.each([
    ['9007199254740990.9', NOT_AN_INTEGER],
    ['9007199254740991.4', NOT_AN_INTEGER],
    ['100.00000000000000001', NOT_AN_INTEGER],
    ['0.99999999999999999999', NOT_AN_INTEGER],
    ['10000000000000000001e-17', NOT_AN_INTEGER],
    ['1.5', NOT_AN_INTEGER],
    ['1e400', TOO_LARGE],
    [`1${'0'.repeat(400)}`, TOO_LARGE],
    ['9007199254740991.5e1', TOO_LARGE],
    ['-0', TOO_SMALL],
    ['-0.0', TOO_SMALL],
    ['-1e400', TOO_SMALL],
    ['0e5', TOO_SMALL],
  ])('of %s is refused, not rounded', async (literal, message) => {
    const { call } = await startTestGateway();
    const { status, body } = await call('POST', '/payments', bodyWithAmount(literal));
    expect(status).toBe(400);
    expect(body.violations).toEqual([{ in: 'body', pointer: '/amount', message }]);
  });

  it.each([
    ['100.0', 100],
    ['1E2', 100],
    ['1.5e3', 1_500],
    ['10000e-2', 100],
    ['9007199254740991.000', 9_007_199_254_740_991],
  ])('of %s is the integer %d', async (literal, amount) => {
    const { call } = await startTestGateway();
    const { status, body } = await call('POST', '/payments', bodyWithAmount(literal));
    expect(status).toBe(200);
    expect((await call('GET', `/payments/${body.transaction_id}`)).body.amount).toBe(amount);
  });
});

/** A literal and its exact value: `digits` times ten to the power of `scale`. */
const literals = fc
  .record({
    negative: fc.boolean(),
    // Around the integer limit, around powers of ten, and anything else.
    whole: fc.oneof(
      fc.bigInt({ min: AMOUNT_MAX - 3n, max: AMOUNT_MAX + 3n }),
      fc.nat(20).map((zeros) => 10n ** BigInt(zeros)),
      fc.bigInt({ min: 0n, max: 10n ** 25n }),
    ),
    fraction: fc.oneof(
      fc.constant(''),
      fc.stringMatching(/^0{0,20}[0-9]$/),
      fc.stringMatching(/^[0-9]{1,25}$/),
      fc.stringMatching(/^9{1,25}$/),
    ),
    exponent: fc.oneof(fc.constant(undefined), fc.integer({ min: -30, max: 30 }), fc.integer({ min: -400, max: 400 })),
    letter: fc.constantFrom('e', 'E', 'e+', 'E+'),
  })
  .map(({ negative, whole, fraction, exponent, letter }) => ({
    literal: [
      negative ? '-' : '',
      whole,
      fraction === '' ? '' : `.${fraction}`,
      exponent === undefined ? '' : `${exponent < 0 ? letter.replace('+', '') : letter}${exponent}`,
    ].join(''),
    digits: BigInt(`${whole}${fraction}`) * (negative ? -1n : 1n),
    scale: (exponent ?? 0) - fraction.length,
  }));

/** The exact value as an integer, or undefined for a fraction. */
function exactInteger(digits: bigint, scale: number): bigint | undefined {
  if (scale >= 0) return digits * 10n ** BigInt(scale);
  const divisor = 10n ** BigInt(-scale);
  return digits % divisor === 0n ? digits / divisor : undefined;
}

describe('parsing', () => {
  it('agrees with exact decimal arithmetic on integers from 1 to the limit', () => {
    fc.assert(
      fc.property(literals, ({ literal, digits, scale }) => {
        const { amount } = parseExactly(`{"amount":${literal}}`) as { amount: number };
        const exact = exactInteger(digits, scale);
        const allowed = exact !== undefined && exact >= 1n && exact <= AMOUNT_MAX;
        expect(Number.isFinite(amount)).toBe(true);
        expect(Number.isInteger(amount) && amount >= 1 && amount <= Number(AMOUNT_MAX)).toBe(allowed);
        if (allowed) expect(BigInt(amount)).toBe(exact);
      }),
      { numRuns: 2_000 },
    );
  });

  it('agrees with JSON.parse without rounded numbers', () => {
    const jsonWithoutLongFractions = fc.json().filter((text) => !/\d{16}/.test(text));
    fc.assert(
      fc.property(jsonWithoutLongFractions, (text) => {
        expect(parseExactly(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('leaves strings that look like numbers unchanged', () => {
    const value = { name: 'costs 100.00000000000000001, or 1e400' };
    expect(parseExactly(JSON.stringify(value))).toEqual(value);
  });

  it('parses a literal of a million digits quickly', () => {
    const literal = `1.${'0'.repeat(1_000_000)}1`;
    expect(Number.isInteger(parseExactly(literal))).toBe(false);
  });
});
