// Made from openapi/ by `npm run build`.
// Do not edit: change the contract and run it again.

import type {
  Payment,
  PayData,
  ValidationProblem,
  Problem,
  Violation,
  CreatePaymentRequest,
  PaymentCustomer,
  CreatePaymentResponse,
  ClarifyPaymentRequest,
  ClarifyItems,
  ConfirmPaymentRequest,
  ConfirmItems,
  ConfirmPaymentResponse,
  Balance,
  CurrencyBalance,
  CreatePayoutRequest,
  PayoutCustomer,
  CreatePayoutResponse,
  Payout,
} from './types.ts';

type Changes<T> = { [K in Exclude<keyof T, 'status'>]?: T[K] | undefined };
type WithStatus<T, S> = T extends { status?: infer X } ? (S extends X ? T : never) : never;
type ChangesOf<T, S> = { status?: S | undefined } & Changes<WithStatus<T, S>>;

/** The example with the changes. What repeats the value of a changed field before it changes too, as amount_paid does. */
function withChanges<T extends object>(example: object, changes: object): T {
  const replaced = new Map<unknown, unknown>();
  const copy = (value: unknown): unknown => {
    if (replaced.has(value)) return replaced.get(value);
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]));
  };
  const given = Object.entries(changes).filter(([, change]) => change !== undefined);
  const body: Record<string, unknown> = Object.fromEntries(given);
  for (const [name, value] of Object.entries(example)) {
    if (name in body) replaced.set(value, body[name]);
    else body[name] = copy(value);
  }
  const names = new Set([...Object.keys(example), ...Object.keys(body)]);
  return Object.fromEntries([...names].map((name) => [name, body[name]])) as T;
}

const paymentExamples = {
  SUCCESS: {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D","merchant_order_id":"order-1001","status":"SUCCESS","amount":49900,"amount_paid":49900,"currency":"INR","payment_method":"UPI_IN","created_at":"2026-03-02T09:00:00Z","finalized_at":"2026-03-02T09:03:05Z"},
  CREATED: {"transaction_id":"pay_01KJPYPEC0CAKEJVMP8SAQ7EPZ","merchant_order_id":"order-1009","status":"CREATED","amount":49900,"currency":"INR","payment_method":"UPI_IN","created_at":"2026-03-02T09:40:00Z"},
  EXTRA_DATA_NEEDED: {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D","merchant_order_id":"order-1001","status":"EXTRA_DATA_NEEDED","amount":49900,"currency":"INR","payment_method_type":"UPI_IN","payment_method":"UPI_IN","created_at":"2026-03-02T09:00:00Z","clarify":["name","phone"]},
  PAY_CONFIRMATION_NEEDED: {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D","merchant_order_id":"order-1001","status":"PAY_CONFIRMATION_NEEDED","amount":49900,"currency":"INR","payment_method_type":"UPI_IN","payment_method":"UPI_IN","created_at":"2026-03-02T09:00:00Z","pay_data":{"receiver_account":"collect.shop@upi","available_amounts":[49900,50000]},"confirm":["amount","tid"]},
  VERIFYING: {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D","merchant_order_id":"order-1001","status":"VERIFYING","amount":49900,"currency":"INR","payment_method":"UPI_IN","created_at":"2026-03-02T09:00:00Z"},
  FAILED: {"transaction_id":"pay_01KJPXHTG03HJFMXR0ZMNTAH3W","merchant_order_id":"order-1005","status":"FAILED","amount":1999900,"currency":"INR","payment_method":"UPI_IN","created_at":"2026-03-02T09:20:00Z","finalized_at":"2026-03-02T09:22:10Z","decline_reason":"INSUFFICIENT_FUNDS"},
} satisfies Record<string | number, Payment>;

/** The contract's example of Payment with this status, by default SUCCESS, with your changes. */
export function aPayment<S extends keyof typeof paymentExamples = "SUCCESS">(
  changes: ChangesOf<Payment, S> = {},
): WithStatus<Payment, S> {
  return withChanges<WithStatus<Payment, S>>(paymentExamples[changes.status ?? "SUCCESS"], changes);
}

const payDataExample = {"receiver_account":"collect.shop@upi","available_amounts":[100000]} satisfies PayData;

/** The contract's example of PayData, with your changes. */
export function aPayData(changes: Changes<PayData> = {}): PayData {
  return withChanges<PayData>(payDataExample, changes);
}

const validationProblemExample = {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Correct the violation and send the request again.","request_id":"req_01KJPWD6M0ENWNR90F7W47F1QJ","violations":[{"in":"query","pointer":"","message":"must have exactly one of transaction_id and merchant_order_id"}]} satisfies ValidationProblem;

/** The contract's example of ValidationProblem, with your changes. */
export function aValidationProblem(changes: Changes<ValidationProblem> = {}): ValidationProblem {
  return withChanges<ValidationProblem>(validationProblemExample, changes);
}

const problemExamples = {
  400: {"type":"https://docs.gateway.example/problems/validation-failed","title":"The request is invalid","status":400,"detail":"Correct the violation and send the request again.","request_id":"req_01KJPWD6M0ENWNR90F7W47F1QJ","violations":[{"in":"query","pointer":"","message":"must have exactly one of transaction_id and merchant_order_id"}]},
  401: {"type":"https://docs.gateway.example/problems/unauthorized","title":"The API key is missing or unknown","status":401,"detail":"Missing API key. Send `Authorization: Bearer <key>`.","request_id":"req_01KJPWD6M0YT7T6E8ATWGZMWWE"},
  404: {"type":"https://docs.gateway.example/problems/not-found","title":"Not found","status":404,"detail":"No payment has this ID.","request_id":"req_01KJPWD6M00PRFYFQETVNTKB3C"},
  429: {"type":"https://docs.gateway.example/problems/rate-limited","title":"Too many requests","status":429,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M02PTWDCDKJ9FZ1F9Z"},
  500: {"type":"https://docs.gateway.example/problems/internal-error","title":"Unexpected error","status":500,"detail":"Send the request again. If it fails again, contact support and quote the request_id.","request_id":"req_01KJPWD6M04FK5B7GT4BC5T6BR"},
  503: {"type":"https://docs.gateway.example/problems/unavailable","title":"The service is unavailable","status":503,"detail":"Send the request again after the number of seconds in Retry-After.","request_id":"req_01KJPWD6M028QWQT5E5SWEYCX3"},
  409: {"type":"https://docs.gateway.example/problems/order-id-reused","title":"The merchant_order_id is already in use","status":409,"detail":"A payment with the merchant_order_id order-1001 exists, created with another callback_url. To repeat it, send the first request unchanged. Use a new merchant_order_id only once that payment is known to have failed, because the customer could otherwise pay twice.","request_id":"req_01KJPWD6M04Q1YHG0MY9G7T9HG","transaction_id":"pay_01KJPWD6M07JTBPZYG4SWFJ2NN","differences":["/callback_url"]},
  413: {"type":"https://docs.gateway.example/problems/body-too-large","title":"The body is too large","status":413,"detail":"Send a smaller body.","request_id":"req_01KJPWD6M06H19VS5Y79YWT6SK"},
  415: {"type":"https://docs.gateway.example/problems/unsupported-media-type","title":"Unsupported media type","status":415,"detail":"Send the body as JSON, with `Content-Type: application/json`.","request_id":"req_01KJPWD6M0D6EYKJVKJ6GA2MMD"},
} satisfies Record<string | number, Problem>;

/** The contract's example of Problem with this status, by default 400, with your changes. */
export function aProblem<S extends keyof typeof problemExamples = 400>(
  changes: ChangesOf<Problem, S> = {},
): WithStatus<Problem, S> {
  return withChanges<WithStatus<Problem, S>>(problemExamples[changes.status ?? 400], changes);
}

const violationExample = {"in":"query","pointer":"","message":"must have exactly one of transaction_id and merchant_order_id"} satisfies Violation;

/** The contract's example of Violation, with your changes. */
export function aViolation(changes: Changes<Violation> = {}): Violation {
  return withChanges<Violation>(violationExample, changes);
}

const createPaymentRequestExample = {"amount":49900,"currency":"INR","merchant_order_id":"order-1009","customer":{"id":"customer-71","name":"Asha Rao","email":"asha.rao@example.com","phone":"+919812345671"},"payment_method_type":"UPI_IN","callback_url":"https://shop.example.com/webhooks/payments"} satisfies CreatePaymentRequest;

/** The contract's example of CreatePaymentRequest, with your changes. */
export function aCreatePaymentRequest(changes: Changes<CreatePaymentRequest> = {}): CreatePaymentRequest {
  return withChanges<CreatePaymentRequest>(createPaymentRequestExample, changes);
}

const paymentCustomerExample = {"id":"customer-71","name":"Asha Rao","email":"asha.rao@example.com","phone":"+919812345671"} satisfies PaymentCustomer;

/** The contract's example of PaymentCustomer, with your changes. */
export function aPaymentCustomer(changes: Changes<PaymentCustomer> = {}): PaymentCustomer {
  return withChanges<PaymentCustomer>(paymentCustomerExample, changes);
}

const createPaymentResponseExamples = {
  CREATED: {"transaction_id":"pay_01KJPYPEC0CAKEJVMP8SAQ7EPZ","merchant_order_id":"order-1009","status":"CREATED","amount":49900,"currency":"INR","payment_method_type":"UPI_IN","created_at":"2026-03-02T09:40:00Z"},
  EXTRA_DATA_NEEDED: {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D","merchant_order_id":"order-1001","status":"EXTRA_DATA_NEEDED","amount":49900,"currency":"INR","payment_method_type":"UPI_IN","payment_method":"UPI_IN","created_at":"2026-03-02T09:00:00Z","clarify":["name","phone"]},
  PAY_CONFIRMATION_NEEDED: {"transaction_id":"pay_01KJPY44E07VPT527F1Y2Z4BS8","merchant_order_id":"order-1007","status":"PAY_CONFIRMATION_NEEDED","amount":100000,"currency":"INR","payment_method_type":"UPI_IN","payment_method":"UPI_IN","created_at":"2026-03-02T09:30:00Z","pay_data":{"receiver_account":"collect.shop@upi","available_amounts":[100000]},"confirm":["tid"]},
  FAILED: {"transaction_id":"pay_FAILED","merchant_order_id":"order-1005","status":"FAILED","amount":1999900,"currency":"INR","payment_method":"UPI_IN","created_at":"2026-03-02T09:20:00Z","finalized_at":"2026-03-02T09:22:10Z","decline_reason":"INSUFFICIENT_FUNDS"},
} satisfies Record<string | number, CreatePaymentResponse>;

/** The contract's example of CreatePaymentResponse with this status, by default CREATED, with your changes. */
export function aCreatePaymentResponse<S extends keyof typeof createPaymentResponseExamples = "CREATED">(
  changes: ChangesOf<CreatePaymentResponse, S> = {},
): WithStatus<CreatePaymentResponse, S> {
  return withChanges<WithStatus<CreatePaymentResponse, S>>(createPaymentResponseExamples[changes.status ?? "CREATED"], changes);
}

const clarifyPaymentRequestExample = {"clarify_data":{"name":"Asha Rao","phone":"+919812345671"}} satisfies ClarifyPaymentRequest;

/** The contract's example of ClarifyPaymentRequest, with your changes. */
export function aClarifyPaymentRequest(changes: Changes<ClarifyPaymentRequest> = {}): ClarifyPaymentRequest {
  return withChanges<ClarifyPaymentRequest>(clarifyPaymentRequestExample, changes);
}

const clarifyItemsExample = {"name":"Asha Rao","phone":"+919812345671"} satisfies ClarifyItems;

/** The contract's example of ClarifyItems, with your changes. */
export function aClarifyItems(changes: Changes<ClarifyItems> = {}): ClarifyItems {
  return withChanges<ClarifyItems>(clarifyItemsExample, changes);
}

const confirmPaymentRequestExample = {"confirm_data":{"tid":"406112345678","amount":"49900"}} satisfies ConfirmPaymentRequest;

/** The contract's example of ConfirmPaymentRequest, with your changes. */
export function aConfirmPaymentRequest(changes: Changes<ConfirmPaymentRequest> = {}): ConfirmPaymentRequest {
  return withChanges<ConfirmPaymentRequest>(confirmPaymentRequestExample, changes);
}

const confirmItemsExample = {"tid":"406112345678","amount":"49900"} satisfies ConfirmItems;

/** The contract's example of ConfirmItems, with your changes. */
export function aConfirmItems(changes: Changes<ConfirmItems> = {}): ConfirmItems {
  return withChanges<ConfirmItems>(confirmItemsExample, changes);
}

const confirmPaymentResponseExample = {"transaction_id":"pay_01KJPWD6M0J09BZPCH3ETT3T8D","merchant_order_id":"order-1001","status":"VERIFYING","message":"The transfer reference was validated. Awaiting final settlement confirmation."} satisfies ConfirmPaymentResponse;

/** The contract's example of ConfirmPaymentResponse, with your changes. */
export function aConfirmPaymentResponse(changes: Changes<ConfirmPaymentResponse> = {}): ConfirmPaymentResponse {
  return withChanges<ConfirmPaymentResponse>(confirmPaymentResponseExample, changes);
}

const balanceExample = {"merchant_id":10427,"balances":[{"available":18250000,"pending":149900,"currency":"INR"},{"available":960000,"pending":125000,"currency":"EGP"},{"available":410500,"pending":30050,"currency":"MAD"},{"available":0,"pending":0,"currency":"DZD"}],"last_updated_at":"2026-03-02T09:33:40Z"} satisfies Balance;

/** The contract's example of Balance, with your changes. */
export function aBalance(changes: Changes<Balance> = {}): Balance {
  return withChanges<Balance>(balanceExample, changes);
}

const currencyBalanceExample = {"available":18250000,"pending":149900,"currency":"INR"} satisfies CurrencyBalance;

/** The contract's example of CurrencyBalance, with your changes. */
export function aCurrencyBalance(changes: Changes<CurrencyBalance> = {}): CurrencyBalance {
  return withChanges<CurrencyBalance>(currencyBalanceExample, changes);
}

const createPayoutRequestExample = {"amount":1500000,"currency":"INR","merchant_order_id":"withdrawal-2001","customer":{"id":"customer-71","name":"Asha Rao","email":"asha.rao@example.com","phone":"+919812345671","account_number":"50100212345671","bank_code":"HDFC0000123","bank_name":"HDFC Bank","bank_branch":"Bengaluru Main"},"payment_method_type":"IMPS_IN","callback_url":"https://shop.example.com/webhooks/payouts"} satisfies CreatePayoutRequest;

/** The contract's example of CreatePayoutRequest, with your changes. */
export function aCreatePayoutRequest(changes: Changes<CreatePayoutRequest> = {}): CreatePayoutRequest {
  return withChanges<CreatePayoutRequest>(createPayoutRequestExample, changes);
}

const payoutCustomerExample = {"id":"customer-71","name":"Asha Rao","email":"asha.rao@example.com","phone":"+919812345671","account_number":"50100212345671","bank_code":"HDFC0000123","bank_name":"HDFC Bank","bank_branch":"Bengaluru Main"} satisfies PayoutCustomer;

/** The contract's example of PayoutCustomer, with your changes. */
export function aPayoutCustomer(changes: Changes<PayoutCustomer> = {}): PayoutCustomer {
  return withChanges<PayoutCustomer>(payoutCustomerExample, changes);
}

const createPayoutResponseExamples = {
  PROCESSING: {"transaction_id":"out_01KJSJ7S80PWJRB7XE5PZ2VJZ4","merchant_order_id":"withdrawal-2001","status":"PROCESSING","amount":1500000,"currency":"INR","created_at":"2026-03-03T10:00:00Z"},
  FAILED: {"transaction_id":"out_FAILED","merchant_order_id":"withdrawal-2002","status":"FAILED","amount":250000,"currency":"INR","created_at":"2026-03-03T10:05:00Z","finalized_at":"2026-03-03T10:06:45Z","decline_reason":"INVALID_ACCOUNT_NUMBER"},
} satisfies Record<string | number, CreatePayoutResponse>;

/** The contract's example of CreatePayoutResponse with this status, by default PROCESSING, with your changes. */
export function aCreatePayoutResponse<S extends keyof typeof createPayoutResponseExamples = "PROCESSING">(
  changes: ChangesOf<CreatePayoutResponse, S> = {},
): WithStatus<CreatePayoutResponse, S> {
  return withChanges<WithStatus<CreatePayoutResponse, S>>(createPayoutResponseExamples[changes.status ?? "PROCESSING"], changes);
}

const payoutExamples = {
  PROCESSING: {"transaction_id":"out_01KJSJ7S80PWJRB7XE5PZ2VJZ4","merchant_order_id":"withdrawal-2001","status":"PROCESSING","amount":1500000,"currency":"INR","created_at":"2026-03-03T10:00:00Z"},
  SUCCESS: {"transaction_id":"out_01KJSJ7S80PWJRB7XE5PZ2VJZ4","merchant_order_id":"withdrawal-2001","status":"SUCCESS","amount":1500000,"currency":"INR","created_at":"2026-03-03T10:00:00Z","finalized_at":"2026-03-03T10:01:20Z"},
  FAILED: {"transaction_id":"out_01KJSJGY70HJC0CNF8AZCPQD8G","merchant_order_id":"withdrawal-2002","status":"FAILED","amount":250000,"currency":"INR","created_at":"2026-03-03T10:05:00Z","finalized_at":"2026-03-03T10:06:45Z","decline_reason":"INVALID_ACCOUNT_NUMBER"},
} satisfies Record<string | number, Payout>;

/** The contract's example of Payout with this status, by default PROCESSING, with your changes. */
export function aPayout<S extends keyof typeof payoutExamples = "PROCESSING">(
  changes: ChangesOf<Payout, S> = {},
): WithStatus<Payout, S> {
  return withChanges<WithStatus<Payout, S>>(payoutExamples[changes.status ?? "PROCESSING"], changes);
}
