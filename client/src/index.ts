/** payments-client: what apps import. Webhooks are in `payments-client/webhooks`. */

export {
  type PayerLanguage,
  type PayerText,
  type PayerTextIn,
  payerLanguages,
  payerText,
  recipientText,
} from '../../contract/src/customer-texts.ts';
export { currencies, currencyNames, minorUnits } from '../../generated/currencies.ts';
export {
  type DeclineText,
  type KnownPaymentDeclineReason,
  type KnownPayoutDeclineReason,
  paymentDeclineReasons,
  payoutDeclineReasons,
} from '../../generated/decline-reasons.ts';
export { paymentMethodNames, paymentMethods, payoutMethodNames, payoutMethods } from '../../generated/methods.ts';
export { paymentStatuses, payoutStatuses } from '../../generated/statuses.ts';
export type * from '../../generated/types.ts';
export { isPayment, isPayout, kindOf } from '../../generated/webhooks.ts';
export {
  type CallEvent,
  type CallOptions,
  type CallResult,
  createPaymentsClient,
  type PaymentsClient,
  type PaymentsClientOptions,
} from './client.ts';
export type { Clock } from './clock.ts';
export { type Decline, describeDecline } from './declines.ts';
export { CallError, type CallErrorCode } from './errors.ts';
export { type FormatOptions, formatMoney, parseMoney } from './money.ts';
export { type PayoutResult, type SendPayoutOptions, sendPayout } from './payouts.ts';
export type { RetryOptions } from './retry.ts';
export type { Auth, CallInfo, Fetch, FetchInit, FetchResponse, RequestHeaders } from './send.ts';
export {
  type ActionStatus,
  type FinalStatus,
  isFinal,
  needsAction,
  paymentMethodOf,
  type Transaction,
} from './transactions.ts';
export {
  type PaymentWaitResult,
  type PayoutWaitResult,
  type WaitOptions,
  type WaitResult,
  waitForPayment,
  waitForPayout,
} from './wait.ts';
