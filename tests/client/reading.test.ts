import { describe, expect, it } from 'vitest';
import {
  describeDecline,
  formatMoney,
  isFinal,
  needsAction,
  parseMoney,
  paymentMethodOf,
} from '../../client/src/index.ts';
import { type DeclineHandling, type DeclineText, declineRows, readBundle } from '../../contract/src/model.ts';
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

  it('is false for an unknown status', () => {
    expect(isFinal({ status: 'REFUNDED' })).toBe(false);
  });
});

describe('needsAction', () => {
  const actions = machines['payment']?.transitions.filter(({ from, by }) => from && /^(clarify|confirm)/.test(by));

  it.each(Object.keys(machines['payment']?.states ?? {}))('tells for %s whether an operation leaves it', (status) => {
    expect(needsAction({ status })).toBe(actions?.some(({ from }) => from === status));
  });

  it('is false for names of object members', () => {
    expect(needsAction({ status: 'constructor' })).toBe(false);
  });
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
  const tables = (['payment', 'payout'] as const).flatMap((kind) => {
    const schema = bundle.components.schemas[kind === 'payment' ? 'PaymentDeclineReason' : 'PayoutDeclineReason'];
    const reasons = declineRows(schema ?? {}) ?? {};
    return Object.entries(reasons).map(([code, text]): [typeof kind, string, DeclineText & DeclineHandling] => [
      kind,
      code,
      text,
    ]);
  });

  it('knows both tables', () => {
    expect(tables).toHaveLength(23);
  });

  it.each(tables)('gives the texts of the contract for a %s with %s', (kind, code, text) => {
    expect(describeDecline(kind, code)).toEqual({ code, known: true, ...text });
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
    [1, 'INR', 'en-IN', '₹0.01'],
    [0, 'MAD', 'en', 'MAD 0.00'],
    [10_000_050, 'INR', 'en-IN', '₹1,00,000.50'],
    [-5, 'EGP', 'en', '-EGP 0.05'],
    [450_000, 'DZD', 'en', 'DZD 4,500.00'],
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
