/** Texts about declines in the language of the payer or of a payout's recipient. */
import { describe, expect, it } from 'vitest';
import {
  describeDecline,
  payerLanguages,
  payerText,
  paymentDeclineReasons,
  payoutDeclineReasons,
  recipientText,
} from '../../client/src/index.ts';

const KINDS = {
  payment: {
    textOf: payerText,
    reasons: [...Object.keys(paymentDeclineReasons), 'CANCELLED_BY_CUSTOMER', 'INSUFFICIENT_FUNDS'],
  },
  payout: { textOf: recipientText, reasons: [...Object.keys(payoutDeclineReasons), 'INVALID_ACCOUNT_NUMBER'] },
};

/** Letters of the language's script, used in each of its texts. */
const SCRIPTS = {
  en: /\p{Script=Latin}/u,
  fr: /\p{Script=Latin}/u,
  hi: /\p{Script=Devanagari}/u,
  ar: /\p{Script=Arabic}/u,
};

describe.each(['payment', 'payout'] as const)('the texts about a declined %s', (kind) => {
  const { textOf, reasons } = KINDS[kind];

  it.each([...reasons, 'NEXT_YEARS_REASON'])('have words for customers about %s', (reason) => {
    const { title, advice } = textOf(reason);
    const { meaning, suggested_action } = describeDecline(kind, reason);
    expect([meaning, suggested_action]).not.toContain(title);
    expect(`${title} ${advice}`).not.toMatch(/_|customer|minor units|transaction|support|channel|fraud/i);
  });

  it.each(payerLanguages)('are different for each reason in %s', (language) => {
    const texts = reasons.map((reason) => textOf(reason, language));
    expect(new Set(texts.map(({ title }) => title)).size).toBe(reasons.length);
    for (const { title, advice, ...rest } of texts) {
      expect(rest).toEqual({ language });
      for (const text of [title, advice]) expect(text).toMatch(SCRIPTS[language]);
      expect(advice).toMatch(/[.।]$/);
    }
  });

  it.each([
    ['fr-MA', 'fr'],
    ['AR_eg', 'ar'],
    [['de-DE', 'hi-IN', 'en'], 'hi'],
    ['constructor', 'en'],
    ['', 'en'],
  ])('use the first language of %j with texts', (locale, language) => {
    expect(textOf('INTERNAL_ERROR', locale)).toEqual(textOf('INTERNAL_ERROR', language));
  });
});
