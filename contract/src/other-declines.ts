/** Texts for decline reasons that the contract's tables don't list. Such reasons occur. */
import type { DeclineText } from '../../generated/decline-reasons.ts';

export const UNKNOWN_DECLINE: DeclineText = {
  meaning: 'Declined',
  likely_cause: 'The service gave a reason that the tables of the contract do not list.',
  suggested_action: 'Try another method or contact support, and quote the code.',
  retry: 'changed',
  acts: 'merchant',
};

/** Reasons in the document's examples and assumptions that its tables lack, by the kind of transaction. */
export const OTHER_DECLINES = {
  payment: {
    INSUFFICIENT_FUNDS: {
      meaning: 'Insufficient funds',
      likely_cause: "The customer's account lacks funds.",
      suggested_action: 'Have the customer pay from another account, or add funds.',
      retry: 'changed',
      acts: 'customer',
    },
    CANCELLED_BY_CUSTOMER: {
      meaning: 'Canceled by the customer',
      likely_cause: 'The customer canceled the payment on the payment page.',
      suggested_action: 'Offer to pay again.',
      retry: 'now',
      acts: 'customer',
    },
  },
  payout: {
    INVALID_ACCOUNT_NUMBER: {
      meaning: 'Invalid account number',
      likely_cause: "The recipient's account number is wrong.",
      suggested_action: 'Verify the account number with the beneficiary.',
      retry: 'changed',
      acts: 'customer',
    },
  },
} as const satisfies Record<'payment' | 'payout', Record<string, DeclineText>>;
