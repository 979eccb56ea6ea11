import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { formatMoney } from '../../../client/src/money.ts';
import { selectLanguage, selectLocale } from '../../../gateway/src/checkout/language.ts';
import { formatAmount, formatDuration, formatTime } from '../../../gateway/src/checkout/views.ts';
import { minorUnits as decimalsOf } from '../../../generated/currencies.ts';
import type { Currency } from '../../../generated/types.ts';

const ENGLISH = selectLanguage(new URLSearchParams(), 'en');

/** Intl writes no-break spaces. */
const spaced = (text: string) => text.replaceAll('\u00a0', ' ');

describe('an amount on the page', () => {
  it.each<[number, Currency, string]>([
    [1, 'INR', '₹0.01'],
    [10, 'EGP', 'EGP 0.10'],
    [100, 'MAD', 'MAD 1.00'],
    [75_000, 'INR', '₹750.00'],
    [49_900_000, 'INR', '₹4,99,000.00'],
    [49_900_000, 'DZD', 'DZD 499,000.00'],
    [Number.MAX_SAFE_INTEGER, 'INR', '₹9,00,71,99,25,47,409.91'],
    [Number.MAX_SAFE_INTEGER, 'EGP', 'EGP 90,071,992,547,409.91'],
    [9_007_199_254_740_987, 'MAD', 'MAD 90,071,992,547,409.87'],
    [9_007_199_254_740_985, 'DZD', 'DZD 90,071,992,547,409.85'],
  ])('of %d minor units of %s is %s', (minorUnits, currency, shown) => {
    expect(spaced(formatAmount(minorUnits, currency, selectLocale(ENGLISH, currency)))).toBe(shown);
  });
});

describe('the decimals of an amount on the page', () => {
  it.each(Object.entries(decimalsOf) as [Currency, number][])(
    'of %s follow ISO 4217 rather than Intl',
    (currency, decimals) => {
      const own = Intl.NumberFormat.prototype.resolvedOptions;
      vi.spyOn(Intl.NumberFormat.prototype, 'resolvedOptions').mockImplementation(function (this: Intl.NumberFormat) {
        return { ...own.call(this), maximumFractionDigits: 0 };
      });
      onTestFinished(() => {
        vi.restoreAllMocks();
      });
      const units = 10 ** decimals;
      expect(spaced(formatAmount(7 * units + 5, currency, 'en'))).toContain(`7.${'5'.padStart(decimals, '0')}`);
    },
  );

  it.each([[499], [49_900_000], [Number.MAX_SAFE_INTEGER]])('match the client: %i', (amount) => {
    for (const currency of Object.keys(decimalsOf) as Currency[])
      expect(formatMoney(amount, currency, { locale: currency === 'INR' ? 'en-IN' : 'en' })).toBe(
        formatAmount(amount, currency, selectLocale(ENGLISH, currency)),
      );
  });
});

describe('the remaining time on the page', () => {
  it.each([
    [1, '1 minute'],
    [60_000, '1 minute'],
    [60_001, '2 minutes'],
    [15 * 60_000, '15 minutes'],
    [24 * 3_600_000, '24 hours'],
  ])('of %d ms is %s', (ms, shown) => {
    expect(formatDuration(ms, 'en')).toBe(shown);
  });

  it('shows an end time, with a date if far away', () => {
    const now = Date.UTC(2026, 2, 2, 9);
    expect(formatTime(now + 15 * 60_000, now, 'en-IN')).toBe('09:15 UTC');
    expect(formatTime(now + 24 * 3_600_000, now, 'en-IN')).toBe('3 March at 09:00 UTC');
  });
});
