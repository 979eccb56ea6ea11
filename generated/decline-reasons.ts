// Made from openapi/ by `npm run build`.
// Do not edit: change the contract and run it again.

/** Texts of the contract about a decline reason. */
export interface DeclineText {
  readonly meaning: string;
  readonly likely_cause: string;
  readonly suggested_action: string;
  /** Whether a new attempt can succeed: `later` once the cause is gone, `changed` with other data. */
  readonly retry: 'now' | 'later' | 'changed' | 'never';
  /** The one who has to do something first. */
  readonly acts: 'merchant' | 'customer' | 'service' | 'nobody';
}

/** The known values of PaymentDeclineReason. Others occur. */
export const paymentDeclineReasons = {
  "CURRENCY_NOT_SUPPORTED": {
    "meaning": "Unsupported currency",
    "likely_cause": "The currency is not enabled for the method.",
    "suggested_action": "Check the currencies of the method.",
    "retry": "changed",
    "acts": "merchant"
  },
  "METHOD_NOT_SUPPORTED": {
    "meaning": "Method unavailable",
    "likely_cause": "The selected method is unavailable.",
    "suggested_action": "Use another payment_method_type.",
    "retry": "changed",
    "acts": "merchant"
  },
  "INVALID_AMOUNT": {
    "meaning": "Invalid amount",
    "likely_cause": "The amount is too low, over a limit, or in the wrong format.",
    "suggested_action": "Verify that the amount is in minor units, with no decimals.",
    "retry": "changed",
    "acts": "merchant"
  },
  "INVALID_ACCOUNT_DETAILS": {
    "meaning": "Invalid account data",
    "likely_cause": "The UPI ID, phone number or bank account is wrong.",
    "suggested_action": "Retry with corrected data.",
    "retry": "changed",
    "acts": "customer"
  },
  "INVALID_CUSTOMER_DETAILS": {
    "meaning": "Invalid customer info",
    "likely_cause": "Required customer fields (KYC, e-mail) are missing.",
    "suggested_action": "Provide all mandatory customer details.",
    "retry": "changed",
    "acts": "customer"
  },
  "LIMIT_EXCEEDED": {
    "meaning": "Limit reached",
    "likely_cause": "The customer's daily or monthly limit is reached.",
    "suggested_action": "Split the transaction, or wait for the period to reset.",
    "retry": "later",
    "acts": "customer"
  },
  "CHANNEL_DOWN": {
    "meaning": "Channel down",
    "likely_cause": "Temporary connectivity problem with the provider.",
    "suggested_action": "Retry after 1 minute.",
    "retry": "later",
    "acts": "nobody"
  },
  "CHANNEL_OVERLOADED": {
    "meaning": "Channel overloaded",
    "likely_cause": "The channel is overloaded or short of liquidity.",
    "suggested_action": "Retry later.",
    "retry": "later",
    "acts": "nobody"
  },
  "BANK_REJECTED": {
    "meaning": "Rejected by the bank",
    "likely_cause": "The issuing bank blocked the transaction.",
    "suggested_action": "Contact support; the customer can contact the bank.",
    "retry": "changed",
    "acts": "customer"
  },
  "KYC_BLOCKED": {
    "meaning": "KYC failed",
    "likely_cause": "The customer's identity verification failed or is pending.",
    "suggested_action": "Have the customer complete KYC.",
    "retry": "later",
    "acts": "customer"
  },
  "TIMEOUT_EXPIRED": {
    "meaning": "Session expired",
    "likely_cause": "The customer did not act within the validity window.",
    "suggested_action": "Start a new payment.",
    "retry": "now",
    "acts": "customer"
  },
  "INTERNAL_ERROR": {
    "meaning": "Internal gateway error",
    "likely_cause": "Unexpected processing error.",
    "suggested_action": "Retry; contact support if the error persists.",
    "retry": "now",
    "acts": "nobody"
  }
} as const satisfies Record<string, DeclineText>;

export type KnownPaymentDeclineReason = keyof typeof paymentDeclineReasons;

/** The table's texts about a value of PaymentDeclineReason, or undefined for a value that is not in the table. */
export function findPaymentDeclineReason(reason: string): DeclineText | undefined {
  return Object.hasOwn(paymentDeclineReasons, reason) ? paymentDeclineReasons[reason as KnownPaymentDeclineReason] : undefined;
}

/** The known values of PayoutDeclineReason. Others occur. */
export const payoutDeclineReasons = {
  "CURRENCY_NOT_SUPPORTED": {
    "meaning": "Unsupported currency",
    "likely_cause": "The payout currency differs from the wallet currency.",
    "suggested_action": "Use the currency of the merchant balance.",
    "retry": "changed",
    "acts": "merchant"
  },
  "METHOD_NOT_SUPPORTED": {
    "meaning": "Method unavailable",
    "likely_cause": "The withdrawal method is unavailable for the region.",
    "suggested_action": "Check the payout methods for the account type.",
    "retry": "changed",
    "acts": "merchant"
  },
  "INVALID_AMOUNT": {
    "meaning": "Invalid amount",
    "likely_cause": "The amount is below the minimum or above the maximum.",
    "suggested_action": "Adjust the amount.",
    "retry": "changed",
    "acts": "merchant"
  },
  "INVALID_ACCOUNT_DETAILS": {
    "meaning": "Invalid account data",
    "likely_cause": "The recipient's account or IBAN is wrong.",
    "suggested_action": "Verify the account with the beneficiary.",
    "retry": "changed",
    "acts": "customer"
  },
  "INSUFFICIENT_BALANCE": {
    "meaning": "Insufficient balance",
    "likely_cause": "The wallet lacks funds.",
    "suggested_action": "Fund the wallet first.",
    "retry": "later",
    "acts": "merchant"
  },
  "LIMIT_EXCEEDED": {
    "meaning": "Limit reached",
    "likely_cause": "A payout limit from account restrictions is reached.",
    "suggested_action": "Split the payout, or request a higher limit.",
    "retry": "changed",
    "acts": "merchant"
  },
  "CHANNEL_DOWN": {
    "meaning": "Channel down",
    "likely_cause": "The clearing house or bank system is offline.",
    "suggested_action": "Retry later, typically at T+1.",
    "retry": "later",
    "acts": "nobody"
  },
  "CHANNEL_OVERLOADED": {
    "meaning": "Channel overloaded",
    "likely_cause": "The channel is overloaded or short of liquidity.",
    "suggested_action": "Retry later.",
    "retry": "later",
    "acts": "nobody"
  },
  "BANK_REJECTED": {
    "meaning": "Rejected by the bank",
    "likely_cause": "The recipient's bank rejected the transfer.",
    "suggested_action": "Verify the account and contact the bank.",
    "retry": "changed",
    "acts": "customer"
  },
  "FRAUD_SUSPECTED": {
    "meaning": "Fraud suspected",
    "likely_cause": "Security rules were triggered.",
    "suggested_action": "Contact support for a review.",
    "retry": "never",
    "acts": "merchant"
  },
  "INTERNAL_ERROR": {
    "meaning": "Internal gateway error",
    "likely_cause": "Unexpected processing error.",
    "suggested_action": "Retry; contact support if the error persists.",
    "retry": "now",
    "acts": "nobody"
  }
} as const satisfies Record<string, DeclineText>;

export type KnownPayoutDeclineReason = keyof typeof payoutDeclineReasons;

/** The table's texts about a value of PayoutDeclineReason, or undefined for a value that is not in the table. */
export function findPayoutDeclineReason(reason: string): DeclineText | undefined {
  return Object.hasOwn(payoutDeclineReasons, reason) ? payoutDeclineReasons[reason as KnownPayoutDeclineReason] : undefined;
}
