import { describe, expect, it } from 'vitest';
import { parseName, parseNames } from '../../contract/src/cli.ts';
import { didYouMean, nearest } from '../../contract/src/nearest.ts';

const EVENTS = ['paymentSucceeded', 'paymentFailed', 'payoutSucceeded', 'payoutFailed'];

describe('suggestions for misspelled names', () => {
  it.each([
    ['paymentSucceded', 'paymentSucceeded'],
    ['payment_succeeded', 'paymentSucceeded'],
    ['PAYOUT-FAILED', 'payoutFailed'],
    ['paymentFaild', 'paymentFailed'],
  ])('of %s is %s', (typed, meant) => {
    expect(didYouMean(typed, EVENTS)).toBe(` Did you mean ${meant}?`);
  });

  it.each(['refundSucceeded', 'x', '', 'settlement'])('is not given for the dissimilar %j', (typed) => {
    expect(didYouMean(typed, EVENTS)).toBe('');
  });

  it('is not given without known names', () => {
    expect(nearest('x', [])).toBeUndefined();
    expect(didYouMean('x', [])).toBe('');
  });

  it('suggests no name for a few unrelated letters', () => {
    expect(didYouMean('EUR', ['INR', 'MAD'])).toBe('');
    expect(didYouMean('INT', ['INR', 'MAD'])).toBe(' Did you mean INR?');
  });

  it('is part of the error of an option', () => {
    expect(() => parseName(EVENTS)('payoutFaild')).toThrow(/^It must be one of .* Did you mean payoutFailed\?$/);
    expect(() => parseNames(EVENTS)('paymentFailed,payoutFaild')).toThrow(
      /payoutFailed\. Did you mean payoutFailed\?$/,
    );
  });
});
