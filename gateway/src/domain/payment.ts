/** Payments: how they are opened, and what an event makes of them. Pure: no clock, no store, no channel. */
import type { CreatePaymentRequest } from '../../../generated/types.ts';
import { NOTIFIED, PAYMENT_FLOWS, PAYMENT_MOVES, type PaymentEvent } from './events.ts';
import { IllegalMove } from './illegal-move.ts';
import { findMethod, type Method } from './methods.ts';
import { declineByRules } from './rules.ts';
import { isFinal, type Payment, type PaymentStatus, type Step } from './transaction.ts';
import { counted, givenBack } from './usage.ts';

/** Validity of a session whose method is not known; it is declined long before. */
const VALIDITY_MS_UNKNOWN_METHOD = 15 * 60_000;

export interface Opening {
  readonly id: string;
  readonly merchantId: number;
  readonly request: CreatePaymentRequest;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly checkoutToken: string;
  /** The customer is over a limit: nothing is asked for at once, and the decline follows. */
  readonly overLimit?: boolean;
}

/** Whether a request can be sent at all: a method that only redirects needs a place to return to (contract: `flow`). */
export function lacksReturnUrl(request: CreatePaymentRequest): boolean {
  const method = findMethod('payment', request.payment_method_type);
  return method !== undefined && !method.flows.includes('h2h') && request.return_url === undefined;
}

/**
 * A new payment. It waits for the customer's data at once when the method needs more of it; whatever is wrong with it
 * shows later, by status and webhook (contract: `declines`).
 */
export function openPayment({
  id,
  merchantId,
  request,
  now,
  checkoutToken,
  overLimit = false,
}: Opening): Step<Payment> {
  const method = findMethod('payment', request.payment_method_type);
  const flow = request.return_url !== undefined && (method?.flows.includes('redirect') ?? true) ? 'redirect' : 'h2h';
  const trusted = request.customer.kyc_level === 'TRUSTED';
  const expiresAt = now + (method?.validityMs ?? VALIDITY_MS_UNKNOWN_METHOD);
  const created: Payment = {
    kind: 'payment',
    id,
    merchantId,
    orderId: request.merchant_order_id,
    amount: request.amount,
    currency: request.currency,
    method: request.payment_method_type,
    callbackUrl: request.callback_url,
    customer: request.customer,
    createdAt: now,
    channel: method?.channels[trusted ? 'trusted' : 'standard'] ?? '',
    dueAt: now,
    version: 1,
    status: 'CREATED',
    openedAs: 'CREATED',
    flow,
    ...(request.return_url !== undefined && { returnUrl: request.return_url }),
    ...(flow === 'redirect' && { checkoutToken }),
    expiresAt,
    supplied: {},
  };
  const items = method && flow === 'h2h' ? missingItems(created, method) : [];
  if (items.length === 0 || overLimit || declineByRules(created)) {
    return { transaction: created, entries: [], notify: false };
  }
  const waiting: Payment = {
    ...created,
    status: 'EXTRA_DATA_NEEDED',
    openedAs: 'EXTRA_DATA_NEEDED',
    clarify: items,
    dueAt: expiresAt,
  };
  return counted({ transaction: waiting, entries: [], notify: true });
}

/** What an event makes of a payment at a time. Throws IllegalMove when its status or flow does not allow the event. */
export function applyPaymentEvent(payment: Payment, event: PaymentEvent, now: number): Step<Payment> {
  const status = PAYMENT_MOVES[event.type][payment.status];
  const flow = PAYMENT_FLOWS[event.type] ?? payment.flow;
  if (!status || flow !== payment.flow) throw new IllegalMove(payment.status, event.type);
  const moved: Payment = { ...payment, ...changes(payment, event), status, version: payment.version + 1 };
  const final = isFinal(status) ? { finalizedAt: now } : {};
  const transaction = withDueAt({ ...moved, ...final }, status, now);
  return {
    transaction,
    entries:
      status === 'SUCCESS'
        ? [{ from: 'channel', to: 'pending', amount: transaction.amountPaid ?? 0, reason: 'collected' }]
        : [],
    notify: NOTIFIED.has(status),
    ...(status === 'FAILED' && givenBack(payment)),
  };
}

/** Makes collected money available after the method's delay. */
export function settlePayment(payment: Payment, now: number): Step<Payment> {
  if (payment.status !== 'SUCCESS' || payment.settledAt !== undefined) throw new IllegalMove(payment.status, 'settled');
  const { dueAt: _, ...settled } = payment;
  return {
    transaction: { ...settled, settledAt: now, version: payment.version + 1 },
    entries: [{ from: 'pending', to: 'available', amount: payment.amountPaid ?? 0, reason: 'settled' }],
    notify: false,
  };
}

/** Names of the items that the payment waits for and that these data lack. */
export function lackingItems(
  wanted: readonly string[] | undefined,
  given: Readonly<Record<string, string | undefined>>,
): string[] {
  return (wanted ?? []).filter((item) => given[item] === undefined);
}

function changes(payment: Payment, event: PaymentEvent): Partial<Payment> {
  switch (event.type) {
    case 'clarification_needed':
      return { clarify: event.items };
    case 'confirmation_needed':
      return { payData: event.payData, confirm: event.confirm };
    case 'clarified':
      return { payData: event.payData, confirm: event.confirm, supplied: { ...payment.supplied, ...event.items } };
    case 'confirmed':
    case 'paid':
      return { supplied: { ...payment.supplied, ...event.items } };
    case 'succeeded':
      return { amountPaid: event.amountPaid };
    case 'declined':
      return { declineReason: event.reason };
  }
}

/** Waiting for the customer ends with the session, verification is asked for at once, collected money settles later. */
function withDueAt(payment: Payment, status: PaymentStatus, now: number): Payment {
  const { dueAt: _, ...rest } = payment;
  if (status === 'FAILED') return rest;
  if (status === 'VERIFYING') return { ...rest, dueAt: now };
  if (status === 'SUCCESS') return { ...rest, dueAt: now + (findMethod('payment', payment.method)?.settlementMs ?? 0) };
  return { ...rest, dueAt: payment.expiresAt };
}

function missingItems(payment: Payment, method: Method): string[] {
  return lackingItems(method.clarify, { ...payment.customer });
}
