/**
 * Texts for payers about declined payments. `describeDecline` has texts for the merchant: they name fields of the API,
 * and tell the merchant what to do about the payer.
 */
import type { KnownPaymentDeclineReason } from 'payments-client';

interface PayerText {
  /** The decline in words. */
  readonly title: string;
  /** The payer's next step. */
  readonly advice: string;
}

/** Values outside the contract's table that occur, too. */
type OtherReason = 'CANCELLED_BY_CUSTOMER' | 'INSUFFICIENT_FUNDS';

const TEXTS: Readonly<Record<KnownPaymentDeclineReason | OtherReason, PayerText>> = {
  CURRENCY_NOT_SUPPORTED: {
    title: 'You cannot pay in this currency this way',
    advice: 'Choose another way to pay.',
  },
  METHOD_NOT_SUPPORTED: { title: 'This way to pay is not available', advice: 'Choose another way to pay.' },
  INVALID_AMOUNT: {
    title: 'You cannot pay this amount this way',
    advice: 'Choose another way to pay, or change your order.',
  },
  INVALID_ACCOUNT_DETAILS: {
    title: 'Your account was not found',
    advice: 'Check your UPI ID, phone number or account number, and order again.',
  },
  INVALID_CUSTOMER_DETAILS: {
    title: 'Some of your details are missing or wrong',
    advice: 'Check your name, phone number and e-mail address, and order again.',
  },
  LIMIT_EXCEEDED: {
    title: 'You have reached your limit for payments',
    advice: 'Order less, or wait until your daily or monthly limit starts again.',
  },
  CHANNEL_DOWN: { title: 'We cannot reach your bank', advice: 'Wait a minute, and order again.' },
  CHANNEL_OVERLOADED: { title: 'Too many people are paying at the moment', advice: 'Order again later.' },
  BANK_REJECTED: {
    title: 'Your bank did not allow the payment',
    advice: 'Ask your bank for the reason, or choose another way to pay.',
  },
  KYC_BLOCKED: {
    title: 'Your identity is not verified yet',
    advice: 'Verify your identity with your bank or wallet, and order again.',
  },
  TIMEOUT_EXPIRED: { title: 'The time to pay is over', advice: 'Order again.' },
  INTERNAL_ERROR: { title: 'Something went wrong', advice: 'Order again. If that fails too, contact us.' },
  CANCELLED_BY_CUSTOMER: { title: 'You cancelled the payment', advice: 'You can order again at any time.' },
  INSUFFICIENT_FUNDS: {
    title: 'There is not enough money in your account',
    advice: 'Pay from another account, or add money to this one.',
  },
};

const UNKNOWN: PayerText = {
  title: 'Your payment did not go through',
  advice: 'Choose another way to pay, or contact us.',
};

/** The texts for a `decline_reason`. */
export function payerText(reason: string): PayerText {
  return Object.hasOwn(TEXTS, reason) ? TEXTS[reason as keyof typeof TEXTS] : UNKNOWN;
}
