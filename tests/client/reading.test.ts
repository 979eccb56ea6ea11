import { describe, expect, it } from 'vitest';
import {
  describeDecline,
  formatMoney,
  isFinal,
  needsAction,
  parseMoney,
  paymentMethodOf,
} from '../../client/src/index.ts';
import { declineRows, readBundle } from '../../contract/src/model.ts';
import { responseExamples } from '../../generated/examples.ts';
import type { Currency } from '../../generated/types.ts';

const bundle = readBundle();
const machines = bundle['x-state-machines'];
const CURRENCIES = bundle.components.schemas['Currency']?.enum as Currency[];
const payment = responseExamples.getPayment[200];

describe('isFinal', () => {
  it.each(Object.values(machines).flatMap(({ states }) => Object.entries(states)))(
    'matches the contract for %s',
    (status, { final }) => {
      expect(isFinal({ status })).toBe(final);
    },
  );
});

describe('needsAction', () => {
  const actions = machines['payment']?.transitions.filter(({ from, by }) => from && /^(clarify|confirm)/.test(by));

  it.each(Object.keys(machines['payment']?.states ?? {}))('tells for %s whether an operation leaves it', (status) => {
    expect(needsAction({ status })).toBe(actions?.some(({ from }) => from === status));
  });
});

it.each(['REFUNDED', 'constructor'])('isFinal and needsAction are false for the unknown status %s', (status) => {
  expect([isFinal({ status }), needsAction({ status })]).toEqual([false, false]);
});

describe('paymentMethodOf', () => {
  it.each([
    ['of a creation', responseExamples.createPayment[200]['h2h-upi']],
    ['of a status response', payment.succeeded],
    ['of a response that has both names', payment['confirmation-needed']],
  ])('reads the method %s', (_name, shown) => {
    expect(paymentMethodOf(shown)).toBe('UPI_IN');
  });
});

describe('describeDecline', () => {
  const { schemas } = bundle.components;

  it.each([
    ['payment', schemas['PaymentDeclineReason'], 12],
    ['payout', schemas['PayoutDeclineReason'], 11],
  ] as const)('gives the texts of the contract for a %s', (kind, schema, count) => {
    const rows = Object.entries(declineRows(schema ?? {}) ?? {});
    expect(rows).toHaveLength(count);
    for (const [code, text] of rows) expect(describeDecline(kind, code)).toEqual({ code, known: true, ...text });
  });

  it.each(['INSUFFICIENT_FUNDS', 'NEXT_YEARS_REASON', 'constructor', ''])('tolerates the unknown code %j', (code) => {
    const { known, meaning, likely_cause, suggested_action, retry, ...rest } = describeDecline('payment', code);
    expect([known, meaning, rest.code]).toEqual([false, 'Declined', code]);
    expect(likely_cause).toBe('The service gave a reason that the tables of the contract do not list.');
    expect([suggested_action, retry]).toEqual([expect.stringMatching(/support/), 'changed']);
  });
});

describe('formatMoney', () => {
  it.each([
    [49_900, 'INR', 'en-IN', '₹499.00'],
    [0, 'MAD', 'en', 'MAD 0.00'],
    [10_000_050, 'INR', 'en-IN', '₹1,00,000.50'],
    [-5, 'EGP', 'en', '-EGP 0.05'],
    [Number.MAX_SAFE_INTEGER, 'EGP', 'en', 'EGP 90,071,992,547,409.91'],
  ] as const)('writes %d minor units of %s in %s', (amount, currency, locale, text) => {
    expect(formatMoney(amount, currency, { locale }).replaceAll('\u00a0', ' ')).toBe(text);
  });

  it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('refuses %d', (amount) => {
    expect(() => formatMoney(amount, 'INR')).toThrow(RangeError);
  });
});

describe('parseMoney', () => {
  it.each([
    ['499', 49_900],
    ['499.5', 49_950],
    ['0.07', 7],
    ['007.10', 710],
    ['1.15', 115],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ])('reads %s', (text, amount) => {
    expect(parseMoney(text, 'INR')).toBe(amount);
  });

  it.each(['1.005', '1.000', '1,50', '1 000', '-1', '+1', '1e3', '', '.5', '5.', '٥', '90071992547409.92', '₹5'])(
    'refuses %j',
    (text) => {
      expect(() => parseMoney(text, 'INR')).toThrow(RangeError);
    },
  );

  it("accepts exactly the contract's currencies", () => {
    expect(CURRENCIES.map((currency) => parseMoney('1', currency))).toEqual(CURRENCIES.map(() => 100));
    for (const other of ['USD', 'inr', 'toString', 'constructor', '__proto__']) {
      expect(() => parseMoney('1', other as Currency)).toThrow(`'${other}' is none of INR, EGP, MAD, DZD`);
    }
  });

  it('reads back what formatMoney writes', () => {
    const plain = { locale: 'en', style: 'decimal', useGrouping: false } as const;
    for (const amount of [0, 1, 9, 10, 99, 100, 101, 4_503_599_627_370_497, Number.MAX_SAFE_INTEGER]) {
      expect(parseMoney(formatMoney(amount, 'DZD', plain), 'DZD')).toBe(amount);
    }
  });
});
