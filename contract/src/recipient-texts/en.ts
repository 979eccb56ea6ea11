import type { RecipientTexts } from './text.ts';

const WAIT = 'You need to do nothing. We will send it again.';

export const en: RecipientTexts = {
  CURRENCY_NOT_SUPPORTED: { title: 'We cannot pay you in this currency', advice: 'Contact us.' },
  METHOD_NOT_SUPPORTED: { title: 'We cannot pay you this way', advice: 'Choose another way to be paid.' },
  INVALID_AMOUNT: { title: 'We cannot send this amount', advice: 'Ask for another amount, or contact us.' },
  INVALID_ACCOUNT_DETAILS: {
    title: 'Your account was not found',
    advice: 'Check your account details, and tell us the right ones.',
  },
  INSUFFICIENT_BALANCE: { title: 'Your payout is delayed', advice: WAIT },
  LIMIT_EXCEEDED: { title: 'Your payout is over a limit', advice: 'Ask for less, or contact us.' },
  CHANNEL_DOWN: { title: 'We cannot reach your bank', advice: WAIT },
  CHANNEL_OVERLOADED: { title: 'Too many payouts are being made at the moment', advice: WAIT },
  BANK_REJECTED: {
    title: 'Your bank did not accept the payout',
    advice: 'Ask your bank for the reason, or give us another account.',
  },
  FRAUD_SUSPECTED: { title: 'We could not make your payout', advice: 'Contact us.' },
  INTERNAL_ERROR: { title: 'Something went wrong', advice: WAIT },
  INVALID_ACCOUNT_NUMBER: {
    title: 'Your account number is wrong',
    advice: 'Check your account number, and tell us the right one.',
  },
  UNKNOWN: { title: 'Your payout did not go through', advice: 'Contact us.' },
};
