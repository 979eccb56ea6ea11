import { $ as ResponseInvalidBody, A as PaymentConfirmation, B as PaymentSucceeded, C as MerchantOrderId, D as ParameterWebhookTimestamp, E as ParameterWebhookSignature, F as PaymentDeclineReason, G as PayoutFailed, H as Payout, I as PaymentExtraDataNeeded, J as PayoutSucceeded, K as PayoutMethodType, L as PaymentFailed, M as PaymentCreated, N as PaymentCreation, O as PayData, P as PaymentCustomer, Q as ResponseInternalError, R as PaymentMethodType, S as KycLevel, T as ParameterWebhookId, U as PayoutCustomer, V as PaymentVerifying, W as PayoutDeclineReason, X as RedirectUrl, Y as Problem, Z as ResponseBodyTooLarge, _ as CustomerPhone, _t as components, a as CallbackUrl, at as ResponsePayoutNotFound, b as HeaderRetryAfter, bt as webhooks, c as ConfirmPaymentRequest, ct as ResponseUnavailable, d as CreatedAt, dt as ReturnUrl, et as ResponseInvalidPaymentId, f as Currency, ft as TransactionId, g as CustomerName, gt as WebhookPayloads, h as CustomerId, ht as WebhookPayload, i as Balance, it as ResponsePaymentNotFound, j as PaymentConfirmationNeeded, k as Payment, l as CreatePaymentRequest, lt as ResponseUnsupportedMediaType, m as CustomerEmail, mt as WebhookName, n as Amount, nt as ResponseInvalidQuery, o as ClarifyPaymentRequest, ot as ResponseRateLimited, p as CurrencyBalance, pt as Violation, q as PayoutProcessing, r as AmountPaid, rt as ResponseOrderIdReused, s as ConfirmItemName, st as ResponseUnauthorized, t as $defs, tt as ResponseInvalidPayoutId, u as CreatePayoutRequest, ut as ResponseWrongState, v as DataItemName, vt as operations, w as ParameterBrandSignature, x as HeaderWwwAuthenticate, y as FinalizedAt, yt as paths, z as PaymentSession } from "./types-4NmIYT6e.js";
import { Client } from "openapi-fetch";

//#region ../generated/decline-reasons.d.ts
/** What the contract says about a decline reason. */
interface DeclineText {
  readonly meaning: string;
  readonly likely_cause: string;
  readonly suggested_action: string;
}
//#endregion
//#region ../generated/client.d.ts
/** openapi-fetch client that knows the contract's paths, parameters, bodies and problems. */
type ContractClient = Client<paths>;
//#endregion
//#region src/clock.d.ts
/** Time, injectable, so that programs can test pauses and deadlines without waiting. */
interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs something later. Returns a function that prevents it. */
  after(ms: number, run: () => void): () => void;
}
//#endregion
//#region src/errors.d.ts
/** NETWORK: the connection failed. TIMEOUT: no whole answer in time. INVALID_ANSWER: a success whose body is not JSON. */
type CallErrorCode = 'NETWORK' | 'TIMEOUT' | 'INVALID_ANSWER';
/**
 * Thrown when a call got no answer that can be used. Whether the service has acted is not known then:
 * creations may simply be made again; before another clarify or confirm, read the payment.
 */
declare class CallError extends Error {
  readonly name = "CallError";
  readonly code: CallErrorCode;
  /** As in `POST /payments`. */
  readonly call: string;
  /** How often it was tried. */
  readonly attempts: number;
  constructor(code: CallErrorCode, call: string, attempts: number, what: string, cause?: unknown);
}
//#endregion
//#region src/retry.d.ts
interface RetryOptions {
  /** Attempts in all, 3 by default; 1 switches retries off. */
  attempts?: number;
  /** Time for all attempts and pauses together, 60 s by default. */
  totalMs?: number;
  /** Pause before the second attempt, 500 ms by default; it doubles with each further one. */
  pauseMs?: number;
  /** Longest pause, 8 s by default. A Retry-After may ask for longer. */
  pauseMsMax?: number;
  /** Repeat creations, as by default. Switch it off for a service where a repeated merchant_order_id is not safe. */
  creations?: boolean;
  /** A number from 0 up to 1, for the jitter. */
  random?: () => number;
}
//#endregion
//#region src/client.d.ts
/** openapi-fetch's client of the contract's paths. */
type PaymentsClient = ContractClient;
/** What is being called; `path` is the contract's template, so it holds no identifiers. */
interface CallInfo {
  method: string;
  path: string;
  /** 1 for the first. */
  attempt: number;
}
/** Headers that authenticate a call, or a function that gives them anew for each attempt. */
type Auth = Record<string, string> | ((call: CallInfo) => Record<string, string> | Promise<Record<string, string>>);
/** What a client does, for logs and metrics. It holds no credentials and nothing of any body. */
type CallEvent = CallInfo & ({
  type: 'request';
} | {
  type: 'response';
  status: number;
  ms: number;
  requestId: string | undefined;
} | {
  type: 'failure';
  error: CallError;
  ms: number;
} | {
  type: 'retry';
  pauseMs: number;
});
interface PaymentsClientOptions {
  /** Where the service is, such as `https://api.example.com`. */
  baseUrl: string;
  /** Sent as `Authorization: Bearer …`. */
  apiKey?: string;
  /** For a service that authenticates otherwise; instead of `apiKey`. */
  auth?: Auth;
  /** Instead of the global fetch. */
  fetch?: (request: Request) => Promise<Response>;
  /** Time for one attempt with its whole answer, 30 s by default. */
  timeoutMs?: number;
  retry?: RetryOptions;
  /** Stands before this client's own in the header, such as `my-shop/2.1`. */
  userAgent?: string;
  /** Further headers of every call. */
  headers?: Record<string, string>;
  /** Is told of every attempt. What it throws is ignored. */
  onEvent?: (event: CallEvent) => void;
  clock?: Clock;
}
/**
 * Creates a client: `client.GET('/payments/{transaction_id}', …)` answers `{ data }` or `{ error }`, a problem.
 * A call rejects with a CallError when there was no usable answer, and with the signal's reason when it was aborted.
 */
declare function createPaymentsClient(options: PaymentsClientOptions): PaymentsClient;
//#endregion
//#region src/declines.d.ts
interface Decline extends DeclineText {
  readonly code: string;
  /** False for a code that is not in the contract's tables; its texts are general then. */
  readonly known: boolean;
}
interface Reasons {
  payment: PaymentDeclineReason;
  payout: PayoutDeclineReason;
}
/** The texts of a `decline_reason`. Payments and payouts have tables of their own. */
declare function describeDecline<K extends keyof Reasons>(kind: K, reason: Reasons[K]): Decline;
//#endregion
//#region src/money.d.ts
interface FormatOptions extends Intl.NumberFormatOptions {
  /** Such as `ar-EG`; the machine's own by default. */
  locale?: string;
}
/** An amount as people write it, such as `₹499.00` for 49900. Throws a RangeError for what is no amount of minor units. */
declare function formatMoney(amount: number, currency: Currency, options?: FormatOptions): string;
/**
 * Minor units of a plain decimal, such as 49900 for `499` or `499.00`. Throws a RangeError for everything else: signs,
 * grouping, commas, exponents, and more decimals than the currency has.
 */
declare function parseMoney(text: string, currency: Currency): number;
//#endregion
//#region ../generated/statuses.d.ts
/** Statuses that nothing follows. */
declare const finalStatuses: readonly ["SUCCESS", "FAILED"];
/** Statuses that wait for a call of the merchant, with the operation's name. */
declare const awaitedCalls: {
  readonly EXTRA_DATA_NEEDED: "clarifyPayment";
  readonly PAY_CONFIRMATION_NEEDED: "confirmPayment";
};
//#endregion
//#region src/transactions.d.ts
/** Any answer or event that shows a payment or a payout. */
type Transaction = Payment | PaymentCreation | Payout;
type FinalStatus = (typeof finalStatuses)[number];
type ActionStatus = keyof typeof awaitedCalls;
/** True when nothing will change any more. */
declare function isFinal<T extends {
  status: string;
}>(transaction: T): transaction is Extract<T, {
  status: FinalStatus;
}>;
/** True when a payment waits for `clarify` or `confirm`. */
declare function needsAction<T extends {
  status: string;
}>(payment: T): payment is Extract<T, {
  status: ActionStatus;
}>;
/** Tells payments from payouts: payments name their method, payouts do not. */
declare function kindOf(transaction: object): 'payment' | 'payout';
/** The method of a payment, whichever of its two names the answer uses. */
declare function paymentMethodOf(payment: Payment | PaymentCreation): PaymentMethodType;
//#endregion
//#region src/wait.d.ts
interface WaitOptions {
  /** How long to wait in all, 15 minutes by default. */
  deadlineMs?: number;
  /** Pause before the second reading, 1 s by default; each further one is half as long again. */
  pauseMs?: number;
  /** Longest pause, 30 s by default. */
  pauseMsMax?: number;
  signal?: AbortSignal;
  clock?: Clock;
}
/** How a wait has ended. */
type Waited<T extends {
  status: string;
}> = /** Nothing will change any more. */{
  outcome: 'final';
  data: Extract<T, {
    status: FinalStatus;
  }>;
} /** `deadlineMs` is over; `data` is what was read last. */ | {
  outcome: 'deadline';
  data: T | undefined;
} /** The service refused to show the transaction. */ | {
  outcome: 'problem';
  error: Problem;
  response: Response;
};
/** As `Waited`, and a payment may also need `clarify` or `confirm`. */
type PaymentWaited = Waited<Payment> | {
  outcome: 'action_needed';
  data: Extract<Payment, {
    status: ActionStatus;
  }>;
};
type PayoutWaited = Waited<Payout>;
/**
 * Waits until a payment is final or needs an action. Failures that pass, such as a lost connection or 503, are waited
 * out. Rejects only with the reason of the signal.
 */
declare function waitForPayment(client: PaymentsClient, id: string, options?: WaitOptions): Promise<PaymentWaited>;
/** Waits until a payout is final; see `waitForPayment`. */
declare function waitForPayout(client: PaymentsClient, id: string, options?: WaitOptions): Promise<PayoutWaited>;
//#endregion
export { type $defs, type ActionStatus, type Amount, type AmountPaid, type Auth, type Balance, CallError, type CallErrorCode, type CallEvent, type CallInfo, type CallbackUrl, type ClarifyPaymentRequest, type Clock, type ConfirmItemName, type ConfirmPaymentRequest, type CreatePaymentRequest, type CreatePayoutRequest, type CreatedAt, type Currency, type CurrencyBalance, type CustomerEmail, type CustomerId, type CustomerName, type CustomerPhone, type DataItemName, type Decline, type DeclineText, type FinalStatus, type FinalizedAt, type FormatOptions, type HeaderRetryAfter, type HeaderWwwAuthenticate, type KycLevel, type MerchantOrderId, type ParameterBrandSignature, type ParameterWebhookId, type ParameterWebhookSignature, type ParameterWebhookTimestamp, type PayData, type Payment, type PaymentConfirmation, type PaymentConfirmationNeeded, type PaymentCreated, type PaymentCreation, type PaymentCustomer, type PaymentDeclineReason, type PaymentExtraDataNeeded, type PaymentFailed, type PaymentMethodType, type PaymentSession, type PaymentSucceeded, type PaymentVerifying, type PaymentWaited, type PaymentsClient, type PaymentsClientOptions, type Payout, type PayoutCustomer, type PayoutDeclineReason, type PayoutFailed, type PayoutMethodType, type PayoutProcessing, type PayoutSucceeded, type PayoutWaited, type Problem, type RedirectUrl, type ResponseBodyTooLarge, type ResponseInternalError, type ResponseInvalidBody, type ResponseInvalidPaymentId, type ResponseInvalidPayoutId, type ResponseInvalidQuery, type ResponseOrderIdReused, type ResponsePaymentNotFound, type ResponsePayoutNotFound, type ResponseRateLimited, type ResponseUnauthorized, type ResponseUnavailable, type ResponseUnsupportedMediaType, type ResponseWrongState, type RetryOptions, type ReturnUrl, type Transaction, type TransactionId, type Violation, type WaitOptions, type Waited, type WebhookName, type WebhookPayload, type WebhookPayloads, type components, createPaymentsClient, describeDecline, formatMoney, isFinal, kindOf, needsAction, type operations, parseMoney, type paths, paymentMethodOf, waitForPayment, waitForPayout, type webhooks };