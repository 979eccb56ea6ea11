/**
 * A service that follows the source literally, and differs from this contract's assumptions, is accepted. The source
 * defines the fields and their conditions (2.2 to 2.4, 4, 6), times as ISO 8601 in UTC, and amounts as integers. The
 * rest is open. The types accept each body where it is written; a spread lets unknown fields pass.
 */
import { describe, expect, it } from 'vitest';
import { type Json, operations, readBundle, type Schema, webhooks } from '../../contract/src/model.ts';
import { compile } from '../../contract/src/schemas.ts';
import { senderForm } from '../../contract/src/sender.ts';
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
import { requestBodies, responseBodies, type Validator, webhookBodies } from '../../generated/validators.js';

interface Responses {
  createPayment: { 200: CreatePaymentResponse; 400: Problem };
  clarifyPayment: { 200: Payment };
  confirmPayment: { 200: ConfirmPaymentResponse };
  getPayment: { 200: Payment; 401: Problem };
  getBalance: { 200: Balance };
  createPayout: { 201: CreatePayoutResponse };
  getPayout: { 200: Payout };
}

interface Requests {
  createPayment: CreatePaymentRequest;
  clarifyPayment: ClarifyPaymentRequest;
  confirmPayment: ConfirmPaymentRequest;
  createPayout: CreatePayoutRequest;
}

/** Fields that the contract doesn't know. */
type Extra = { readonly [field: string]: unknown };

interface Row {
  readonly message: string;
  readonly what: string;
  readonly body: unknown;
  readonly validate: Validator<unknown>;
  /** The schema of messages that this kit sends. None for a request. */
  readonly sent?: Schema | undefined;
}

const bundle = readBundle();
const strict = compile(senderForm(bundle));

function response<O extends keyof Responses, S extends keyof Responses[O] & number>(
  id: O,
  status: S,
  what: string,
  body: Responses[O][S],
): Row {
  const validate = (responseBodies[id] as unknown as Record<S, Validator<unknown>>)[status];
  const { responses = [] } = operations(bundle).find((operation) => operation.id === id) ?? {};
  const sent = responses.find((one) => one.status === String(status))?.body?.schema;
  return { message: `${id} ${status}`, what, body, validate, sent };
}

function webhook<E extends keyof WebhookPayloads>(event: E, what: string, body: WebhookPayloads[E]): Row {
  const sent = webhooks(bundle).find(({ id }) => id === event)?.request?.schema;
  return { message: event, what, body, validate: webhookBodies[event] as Validator<unknown>, sent };
}

function request<O extends keyof Requests>(id: O, what: string, body: Requests[O]): Row {
  return { message: id, what, body, validate: requestBodies[id] as Validator<unknown> };
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
const UNLISTED = { decline_reason: 'NOT_IN_THE_TABLES' };
const LONG = 'x'.repeat(300);
const EMPTY = { available: 0, pending: 0, currency: 'INR' } as const;

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
const balance = (what: string, change: Partial<Balance>) =>
  response('getBalance', 200, what, {
    merchant_id: 1,
    balances: [],
    last_updated_at: '2026-03-02T09:00:00Z',
    ...change,
  });

const SENT: readonly Row[] = [
  session('an identifier of 300 characters', { transaction_id: LONG }),
  session('an empty identifier', { transaction_id: '' }),
  session('a deep link to pay', { redirect_url: 'upi://pay?pa=shop@upi&am=499.00' }),
  response('createPayment', 200, 'a decline with a field', {
    ...DECLINED,
    ...METHOD,
    ...UNLISTED,
    ...{ channel: 'a' },
  }),
  waiting('no item named', { clarify: [] }),
  waiting('an item that is not known', { clarify: ['pan_number'] }),
  transfer('no account', { pay_data: { available_amounts: [49_900] } }),
  transfer('no amounts', { pay_data: { receiver_account: 'shop@upi' } }),
  transfer('further data to pay with', { pay_data: { ...PAY_DATA, ...{ receiver_name: 'Shop', qr: 'upi://' } } }),
  transfer('nothing to confirm with', { confirm: [] }),
  transfer('another item to confirm with', { confirm: ['utr'] }),
  succeeded('a time with an unknown offset', { finalized_at: '2026-03-02T09:05:00-00:00' }),
  succeeded('both names of the method', TYPE),
  failed('an empty reason', { decline_reason: '' }),
  response('confirmPayment', 200, 'the payment', { ...IDS, status: 'VERIFYING', message: 'Thank you.', ...SUM }),
  balance('five entries', { balances: [EMPTY, EMPTY, EMPTY, EMPTY, EMPTY] }),
  balance('a reserved amount', { balances: [{ ...EMPTY, available: -5, ...{ reserved: 5 } }] }),
  response('createPayout', 201, 'a reference of the bank', { ...BASE, status: 'PROCESSING', ...{ utr: '4061' } }),
  response('getPayout', 200, 'a time with an offset of zero', { ...PAID, finalized_at: ZERO_OFFSET }),
  response('createPayment', 400, 'a problem without any member', {}),
  response('createPayment', 400, 'more than 100 violations', {
    ...{ type: 'https://errors.example.com/validation', title: 'Bad request', status: 400 },
    violations: Array.from({ length: 200 }, () => ({ in: 'body', pointer: '/a', message: 'is wrong' }) as const),
  }),
  webhook('paymentExtraDataNeeded', 'one name of the method', { ...ASKED, ...METHOD }),
  webhook('paymentSucceeded', 'a field of a later version', { ...PAID, amount_paid: 1, ...METHOD, ...{ fee: 1 } }),
  webhook('paymentFailed', 'a reason outside of the table and a text', {
    ...{ ...DECLINED, ...METHOD, ...UNLISTED, message: 'Not enough money' },
  }),
  webhook('payoutFailed', 'a text on the reason', { ...DECLINED, ...UNLISTED, ...{ message: 'No such account' } }),
];

const ORDER: CreatePaymentRequest = {
  ...{ ...SUM, ...TYPE, merchant_order_id: 'order-1' },
  customer: { id: 'c' },
  callback_url: 'https://shop.example.com/webhooks',
};

const RECEIVED: readonly Row[] = [
  request('createPayment', 'a phone number with spaces', { ...ORDER, customer: { id: 'c', phone: '+91 98123 45671' } }),
  request('createPayment', 'a return address over http', { ...ORDER, return_url: 'http://shop.example.com/return' }),
  request('createPayment', 'a method that is not known', { ...ORDER, payment_method_type: 'CASH_EG' }),
  request('createPayment', 'another level of trust', { ...ORDER, customer: { id: 'c', kyc_level: 'VERIFIED' } }),
  request('clarifyPayment', 'an item that is not known', { clarify_data: { pan_number: 'ABCDE1234F' } }),
  request('confirmPayment', 'another item', { confirm_data: { utr: '406112345678' } }),
  request('createPayout', 'no account, where the method needs none', ORDER),
  request('createPayout', 'a UPI-style account', { ...ORDER, customer: { id: 'c', account_number: 'asha@upi' } }),
];

describe('a message that follows only the source', () => {
  it.each([...SENT, ...RECEIVED])('is accepted: $message, $what', ({ body, validate }) => {
    expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
  });

  it.each(SENT)('is never sent by this kit: $message, $what', ({ body, sent }) => {
    expect(strict(sent ?? {})(body as Json)).not.toEqual([]);
  });
});
