/** Declines in the words and the language of the payer. */
import { describe, expect, it } from 'vitest';
import { describeDecline, payerLanguages, payerText, paymentDeclineReasons } from '../../client/src/index.ts';

const REASONS = [...Object.keys(paymentDeclineReasons), 'CANCELLED_BY_CUSTOMER', 'INSUFFICIENT_FUNDS'];

/** Letters of the language's script, which each of its texts has. */
const SCRIPTS = {
  en: /\p{Script=Latin}/u,
  fr: /\p{Script=Latin}/u,
  hi: /\p{Script=Devanagari}/u,
  ar: /\p{Script=Arabic}/u,
};

describe('payerText', () => {
  it.each([...REASONS, 'NEXT_YEARS_REASON'])('has words for payers about %s', (reason) => {
    const { title, advice } = payerText(reason);
    const { meaning, suggested_action } = describeDecline('payment', reason);
    expect([meaning, suggested_action]).not.toContain(title);
    expect([title, advice].join(' ')).not.toMatch(/_|customer|minor units|transaction|support|channel/i);
    expect(advice).toMatch(/\.$/);
  });

  it.each(payerLanguages)('has a text of its own for each reason in %s', (language) => {
    const texts = REASONS.map((reason) => payerText(reason, language));
    expect(new Set(texts.map(({ title }) => title)).size).toBe(REASONS.length);
    for (const { title, advice, ...rest } of texts) {
      expect(rest).toEqual({ language });
      expect(title).toMatch(SCRIPTS[language]);
      expect(advice).toMatch(SCRIPTS[language]);
      expect(advice).toMatch(/[.।]$/);
    }
  });

  it.each([
    ['fr-MA', 'fr'],
    ['AR_eg', 'ar'],
    [['de-DE', 'hi-IN', 'en'], 'hi'],
    ['de', 'en'],
    ['constructor', 'en'],
    ['', 'en'],
    [[], 'en'],
  ])('takes the first language of %j that has texts', (locale, language) => {
    expect(payerText('TIMEOUT_EXPIRED', locale)).toEqual(payerText('TIMEOUT_EXPIRED', language));
  });

  it.each(['NEXT_YEARS_REASON', 'constructor', ''])('has a general text for the unknown reason %j', (reason) => {
    const general = payerText(reason, 'fr');
    expect(general).toEqual(payerText('UNKNOWN', 'fr'));
    expect(REASONS.map((known) => payerText(known, 'fr').title)).not.toContain(general.title);
  });
});
