/**
 * Messages that the source allows but this contract's assumptions exclude. The source defines the fields and their
 * conditions (2.2 to 2.4, 4, 6), times as ISO 8601 in UTC, and amounts as integers. The rest is open.
 */
import type {
  Balance,
  ClarifyPaymentRequest,
  ConfirmPaymentRequest,
  ConfirmPaymentResponse,
  CreatePaymentRequest,
  CreatePaymentResponse,
  CreatePayoutRequest,
  CreatePayoutResponse,
  Payment,
  Payout,
  Problem,
  WebhookPayloads,
} from '../../generated/types.ts';

interface Bodies {
  createPayment: { 200: CreatePaymentResponse; 400: Problem; 429: Problem; 503: Problem };
  clarifyPayment: { 200: Payment };
  confirmPayment: { 200: ConfirmPaymentResponse };
  getPayment: { 200: Payment; 401: Problem; 404: Problem; 500: Problem };
  getBalance: { 200: Balance };
  createPayout: { 201: CreatePayoutResponse };
  getPayout: { 200: Payout };
}

/** Fields that the contract doesn't know. */
type Extra = { readonly [field: string]: unknown };

export interface ResponseRow {
  readonly operation: string;
  readonly status: number;
  readonly what: string;
  readonly body: unknown;
}

/** The types must accept the body. A spread lets unknown fields pass. */
function response<O extends keyof Bodies, S extends keyof Bodies[O]>(
  operation: O,
  status: S,
  what: string,
  body: Bodies[O][S],
): ResponseRow {
  return { operation, status: Number(status), what, body };
}

const IDS = { transaction_id: 'TX-1', merchant_order_id: 'order-1' };
const SUM = { amount: 49_900, currency: 'INR' } as const;
const BASE = { ...IDS, ...SUM, created_at: '2026-03-02T09:00:00Z' };
const TYPE = { payment_method_type: 'UPI_IN' } as const;
const METHOD = { payment_method: 'UPI_IN' } as const;
const ASKED = { ...BASE, status: 'EXTRA_DATA_NEEDED' as const, clarify: ['name'] };
const PAY_DATA = { receiver_account: 'shop@upi', available_amounts: [49_900] };
const TRANSFER = { ...BASE, status: 'PAY_CONFIRMATION_NEEDED' as const, pay_data: PAY_DATA, confirm: ['tid'] };
const PAID = { ...BASE, status: 'SUCCESS', finalized_at: '2026-03-02T09:05:00Z' } as const;
const DECLINED = { ...BASE, status: 'FAILED', finalized_at: '2026-03-02T09:05:00Z' } as const;
const ZERO_OFFSET = '2026-03-02T09:05:00+00:00';

type Of<U, S> = Extract<U, { status: S }>;

const session = (what: string, change: Partial<Of<CreatePaymentResponse, 'CREATED'>> & Extra) =>
  response('createPayment', 200, what, { ...BASE, status: 'CREATED', ...TYPE, ...change });
const waiting = (what: string, change: Partial<Of<Payment, 'EXTRA_DATA_NEEDED'>> & Extra) =>
  response('getPayment', 200, what, { ...ASKED, ...change });
const transfer = (what: string, change: Partial<Of<Payment, 'PAY_CONFIRMATION_NEEDED'>> & Extra) =>
  response('getPayment', 200, what, { ...TRANSFER, ...change });
const succeeded = (what: string, change: Partial<Of<Payment, 'SUCCESS'>> & Extra) =>
  response('getPayment', 200, what, { ...PAID, ...METHOD, amount_paid: 49_900, ...change });
const failed = (what: string, change: Partial<Of<Payment, 'FAILED'>> & Extra) =>
  response('getPayment', 200, what, { ...DECLINED, ...METHOD, decline_reason: 'BANK_REJECTED', ...change });
const balance = (what: string, change: Partial<Balance>) => {
  const empty = { merchant_id: 10_001, balances: [], last_updated_at: '2026-03-02T09:00:00Z' };
  return response('getBalance', 200, what, { ...empty, ...change });
};

const LONG = 'x'.repeat(300);
const UNLISTED = { decline_reason: 'INVALID_ACCOUNT_NUMBER' };

export const RESPONSES: readonly ResponseRow[] = [
  session('an identifier of 300 characters', { transaction_id: LONG }),
  session('an empty identifier', { transaction_id: '' }),
  session('a time with an offset of zero', { created_at: '2026-03-02T09:00:00+00:00' }),
  session('a deep link to pay', { redirect_url: 'upi://pay?pa=shop@upi&am=499.00' }),
  session('an intent to pay', { redirect_url: 'intent://pay/#Intent;scheme=upi;end' }),
  session('a field of a later version', { expires_at: '2026-03-02T09:15:00Z' }),
  session('a message', { message: 'Payment session initiated' }),
  session('both names of the method', METHOD),
  response('createPayment', 200, 'declined at once, with the name that creations have', {
    ...DECLINED,
    ...TYPE,
    decline_reason: 'METHOD_NOT_SUPPORTED',
    ...{ channel: 'a' },
  }),
  response('createPayment', 200, 'declined at once, with the name that statuses have', {
    ...DECLINED,
    ...METHOD,
    decline_reason: 'INSUFFICIENT_FUNDS',
    ...{ channel: 'a' },
  }),
  response('createPayment', 200, 'data needed, with the name that creations have', {
    ...{ ...ASKED, ...TYPE, clarify: ['name', 'phone'] },
  }),
  response('createPayment', 200, 'a transfer needed, with the name that creations have', {
    ...{ ...TRANSFER, ...TYPE, confirm: ['tid', 'amount'] },
  }),
  waiting('one name of the method', METHOD),
  waiting('the other name of the method', TYPE),
  waiting('no item named', { clarify: [] }),
  waiting('an item named twice', { clarify: ['name', 'name'] }),
  waiting('an item that is not known', { clarify: ['pan_number'] }),
  waiting('an item of 300 characters', { clarify: [LONG] }),
  waiting('a time limit', { clarify_until: '2026-03-02T09:10:00Z' }),
  transfer('one name of the method', METHOD),
  transfer('the other name of the method', TYPE),
  transfer('no account', { pay_data: { available_amounts: [49_900] } }),
  transfer('no amounts', { pay_data: { receiver_account: 'shop@upi' } }),
  transfer('an empty list of amounts', { pay_data: { ...PAY_DATA, available_amounts: [] } }),
  transfer('further data to pay with', { pay_data: { ...PAY_DATA, ...{ receiver_name: 'Shop', qr: 'upi://' } } }),
  transfer('nothing to confirm with', { confirm: [] }),
  transfer('an item to confirm with twice', { confirm: ['tid', 'tid'] }),
  transfer('another item to confirm with', { confirm: ['utr'] }),
  response('getPayment', 200, 'created, with a further field', {
    ...BASE,
    status: 'CREATED',
    ...METHOD,
    ...{ redirect_url: 'https://pay.example.com/1' },
  }),
  response('getPayment', 200, 'verifying, with the items given', {
    ...BASE,
    status: 'VERIFYING',
    ...METHOD,
    ...{ confirm_data: { tid: '406112345678' } },
  }),
  succeeded('times with an offset of zero', {
    ...{ created_at: '2026-03-02T09:00:00+00:00', finalized_at: '2026-03-02T09:05:00.123+00:00' },
  }),
  succeeded('times with an unknown offset', { finalized_at: '2026-03-02T09:05:00-00:00' }),
  succeeded('fees', { fee: 998 }),
  succeeded('both names of the method', TYPE),
  failed('a reason of 300 characters', { decline_reason: LONG }),
  failed('an empty reason', { decline_reason: '' }),
  failed('a text on the reason', { decline_message: 'The bank blocked the payment' }),
  failed('an identifier of 300 characters', { transaction_id: LONG }),
  response('clarifyPayment', 200, 'more data is needed after all', {
    ...{ ...ASKED, ...METHOD, clarify: ['account_number'] },
  }),
  response('clarifyPayment', 200, 'verified at once', {
    ...BASE,
    status: 'VERIFYING',
    ...METHOD,
    ...{ message: 'Thank you' },
  }),
  response('confirmPayment', 200, 'with the payment', {
    ...IDS,
    status: 'VERIFYING',
    message: 'Reference validated. Awaiting settlement.',
    ...SUM,
  }),
  balance('a time with an offset of zero', { last_updated_at: '2026-03-02T09:00:00+00:00' }),
  balance('a currency twice, as five entries', {
    balances: (['INR', 'EGP', 'MAD', 'DZD', 'INR'] as const).map((currency) => ({
      available: 0,
      pending: 0,
      currency,
    })),
  }),
  balance('what is held back', { balances: [{ available: -5, pending: 0, currency: 'INR', ...{ reserved: 5 } }] }),
  response('createPayout', 201, 'a reference of the bank', {
    ...BASE,
    status: 'PROCESSING',
    ...{ utr: '406112345678' },
  }),
  response('createPayout', 201, 'declined at once', {
    ...DECLINED,
    decline_reason: 'INSUFFICIENT_BALANCE',
    ...{ balance: 0 },
  }),
  response('getPayout', 200, 'times with an offset of zero', { ...PAID, finalized_at: ZERO_OFFSET }),
  response('getPayout', 200, 'a reason outside of the table', { ...DECLINED, ...UNLISTED, ...{ failed_by: 'bank' } }),
  response('createPayment', 400, 'a problem without any member', {}),
  response('createPayment', 400, 'violations without an end', {
    ...{ type: 'https://errors.example.com/validation', title: 'Bad request', status: 400 },
    violations: Array.from({ length: 200 }, (_, index) => ({
      ...{ in: 'body' as const, pointer: `/a/${index}`, message: 'is wrong' },
    })),
  }),
  response('createPayment', 429, 'a problem with a relative type', { type: '/errors/slow-down' }),
  response('createPayment', 503, 'a problem with a title only', { title: 'Down for maintenance' }),
  response('getPayment', 401, 'a problem with a code', { title: 'Unauthorized', ...{ code: 'E401' } }),
  response('getPayment', 404, 'a problem with an instance', { status: 404, ...{ instance: '/payments/TX-1' } }),
  response('getPayment', 500, 'a problem with a trace', { detail: 'Something broke', ...{ trace_id: 'abc' } }),
];

export interface WebhookRow {
  readonly event: string;
  readonly what: string;
  readonly body: unknown;
}

function webhook<E extends keyof WebhookPayloads>(event: E, what: string, body: WebhookPayloads[E]): WebhookRow {
  return { event, what, body };
}

export const WEBHOOKS: readonly WebhookRow[] = [
  webhook('paymentExtraDataNeeded', 'one name of the method', { ...ASKED, ...METHOD, clarify: ['name'] }),
  webhook('paymentExtraDataNeeded', 'the other name of the method', { ...ASKED, ...TYPE, clarify: ['name'] }),
  webhook('paymentConfirmationNeeded', 'one name of the method', {
    ...{ ...TRANSFER, ...METHOD, pay_data: { receiver_account: 'shop@upi' }, confirm: [] },
  }),
  webhook('paymentSucceeded', 'a field of a later version', {
    ...PAID,
    ...METHOD,
    amount_paid: 50_000,
    ...{ settlement_id: 'S-1' },
  }),
  webhook('paymentSucceeded', 'times with an offset of zero', {
    ...{ ...PAID, finalized_at: ZERO_OFFSET, amount_paid: 49_900, payment_method: 'WALLET_XY' },
  }),
  webhook('paymentFailed', 'a reason outside of the table and a text', {
    ...DECLINED,
    ...METHOD,
    decline_reason: 'INSUFFICIENT_FUNDS',
    ...{ message: 'Not enough money' },
  }),
  webhook('payoutSucceeded', 'a reference of the bank', { ...PAID, ...{ utr: '1' } }),
  webhook('payoutFailed', 'a reason outside of the table, with a text', {
    ...DECLINED,
    ...UNLISTED,
    ...{ message: 'No such account' },
  }),
];

export interface RequestRow {
  readonly operation: string;
  readonly what: string;
  readonly body: unknown;
}

const PAYMENT: CreatePaymentRequest = {
  ...SUM,
  merchant_order_id: 'order-1',
  customer: { id: 'customer-1' },
  payment_method_type: 'UPI_IN',
  callback_url: 'https://shop.example.com/webhooks',
};
const PAYOUT: CreatePayoutRequest = { ...PAYMENT, payment_method_type: 'IMPS_IN' };

const payment = (what: string, change: Partial<CreatePaymentRequest>): RequestRow => ({
  operation: 'createPayment',
  what,
  body: { ...PAYMENT, ...change },
});
const clarify = (what: string, body: ClarifyPaymentRequest): RequestRow => ({
  operation: 'clarifyPayment',
  what,
  body,
});
const confirm = (what: string, body: ConfirmPaymentRequest): RequestRow => ({
  operation: 'confirmPayment',
  what,
  body,
});

export const REQUESTS: readonly RequestRow[] = [
  payment('a phone number with spaces', { customer: { id: 'c', phone: '+91 98123 45671' } }),
  payment('a phone number with hyphens and parentheses', { customer: { id: 'c', phone: '+1 (212) 555-0100' } }),
  payment('a return address for a method that may be H2H', { return_url: 'http://shop.example.com/return' }),
  payment('a method that is not known', { payment_method_type: 'CASH_EG' }),
  payment('another level of trust', { customer: { id: 'c', kyc_level: 'VERIFIED' } }),
  clarify('an item that is not known', { clarify_data: { pan_number: 'ABCDE1234F' } }),
  clarify('a part of the items', { clarify_data: { name: 'Asha Rao' } }),
  confirm('another item', { confirm_data: { utr: '406112345678' } }),
  { operation: 'createPayout', what: 'no account, where the method needs none', body: PAYOUT },
  {
    operation: 'createPayout',
    what: 'a UPI-style account',
    body: { ...PAYOUT, customer: { id: 'c', account_number: 'asha@upi', bank_name: 'HDFC Bank', bank_branch: 'Pune' } },
  },
];
