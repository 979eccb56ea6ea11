import type { PayerTexts, RecipientTexts } from './text.ts';

export const payer: PayerTexts = {
  CURRENCY_NOT_SUPPORTED: {
    title: 'You cannot pay in this currency with this method',
    advice: 'Choose another way to pay.',
  },
  METHOD_NOT_SUPPORTED: { title: 'This way to pay is not available', advice: 'Choose another way to pay.' },
  INVALID_AMOUNT: { title: 'You cannot pay this amount this way', advice: 'Choose another way to pay.' },
  INVALID_ACCOUNT_DETAILS: {
    title: 'Your account was not found',
    advice: 'Check your UPI ID, phone number or account number, and try again.',
  },
  INVALID_CUSTOMER_DETAILS: {
    title: 'Some of your details are missing or wrong',
    advice: 'Check your name, phone number and e-mail address, and try again.',
  },
  LIMIT_EXCEEDED: {
    title: 'You have reached your limit for payments',
    advice: 'Pay less, or wait until your daily or monthly limit starts again.',
  },
  CHANNEL_DOWN: { title: 'We cannot reach your bank', advice: 'Wait a minute, and try again.' },
  CHANNEL_OVERLOADED: { title: 'Too many people are paying at the moment', advice: 'Try again later.' },
  BANK_REJECTED: {
    title: 'Your bank did not allow the payment',
    advice: 'Ask your bank for the reason, or choose another way to pay.',
  },
  KYC_BLOCKED: {
    title: 'Your identity is not verified yet',
    advice: 'Verify your identity with your bank or wallet, and try again.',
  },
  TIMEOUT_EXPIRED: { title: 'The time to pay is over', advice: 'Try again.' },
  INTERNAL_ERROR: { title: 'Something went wrong', advice: 'Try again. If that fails too, contact us.' },
  CANCELLED_BY_CUSTOMER: { title: 'You cancelled the payment', advice: 'You can try again at any time.' },
  INSUFFICIENT_FUNDS: {
    title: 'There is not enough money in your account',
    advice: 'Pay from another account, or add money to this one.',
  },
  UNKNOWN: { title: 'Your payment did not go through', advice: 'Choose another way to pay, or contact us.' },
};

const WAIT = 'You do not need to do anything. We will send it again.';

export const recipient: RecipientTexts = {
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
