/** Payments: how they are opened, and what an event makes of them. Pure: no clock, no store, no channel. */
import type { CreatePaymentRequest } from '../../../generated/types.ts';
import { NOTIFIED, PAYMENT_FLOWS, PAYMENT_MOVES, type PaymentEvent } from './events.ts';
import { type Actor, remember } from './history.ts';
import { IllegalMove } from './illegal-move.ts';
import { channelFor, findMethod, type Method } from './methods.ts';
import { declineByRules, type Plan } from './rules.ts';
import { beginCall } from './schedule.ts';
import { type Flow, type Items, isFinal, type Payment, type PaymentStatus, type Step } from './transaction.ts';
import { OVER_LIMIT, reserveUsage, settleUsage } from './usage.ts';

/** Validity of a session whose method is not known; it is declined long before. */
const VALIDITY_MS_UNKNOWN_METHOD = 15 * 60_000;

/** What can still happen to a payment that is being cancelled. */
const ENDINGS: ReadonlySet<PaymentEvent['type']> = new Set(['declined', 'found_paid']);

export interface Opening {
  readonly id: string;
  readonly merchantId: number;
  readonly request: CreatePaymentRequest;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly checkoutToken: string;
  /** Of its test data. */
  readonly plan?: Plan | undefined;
}

/** Whether a request can be sent at all: a method that only redirects needs a place to return to (contract: `flow`). */
export function lacksReturnUrl(request: CreatePaymentRequest): boolean {
  const method = findMethod('payment', request.payment_method_type);
  return method !== undefined && !method.flows.includes('h2h') && request.return_url === undefined;
}

/** If a method supports both flows, `return_url` selects redirect. */
export function flowOf({ payment_method_type, return_url }: CreatePaymentRequest): Flow {
  const redirects = findMethod('payment', payment_method_type)?.flows.includes('redirect') ?? true;
  return return_url !== undefined && redirects ? 'redirect' : 'h2h';
}

/**
 * A new payment. It waits for the customer's data at once when the method needs more of it; whatever is wrong with it
 * shows later, by status and webhook (contract: `declines`).
 */
export function openPayment({ id, merchantId, request, now, checkoutToken, plan }: Opening): Step<Payment> {
  const method = findMethod('payment', request.payment_method_type);
  const flow = flowOf(request);
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
    channel: channelFor(method, request.customer),
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
  const opened: Step<Payment> = { transaction: created, entries: [], notify: false };
  if (plan?.opening) return openAsked(created, plan.opening(created), opened);
  const items = method && flow === 'h2h' && !plan ? missingItems(created, method) : [];
  if (items.length === 0 || declineByRules(created)) return opened;
  const waiting: Payment = {
    ...created,
    status: 'EXTRA_DATA_NEEDED',
    openedAs: 'EXTRA_DATA_NEEDED',
    clarify: items,
    dueAt: expiresAt,
  };
  // A customer over a limit is asked for nothing: the payment is created, and its decline follows.
  return reserveUsage({ transaction: waiting, entries: [], notify: true }, created.amount, () => opened);
}

/** A payment that begins in the status that an event leads to. What is wrong with it shows later, as of any other. */
function openAsked(created: Payment, event: PaymentEvent, opened: Step<Payment>): Step<Payment> {
  if (declineByRules(created)) return opened;
  const { transaction, ...asked } = applyPaymentEvent(created, event, created.createdAt);
  const { history: _, status: openedAs, ...rest } = transaction;
  return { ...asked, transaction: { ...rest, status: openedAs, openedAs, version: 1 }, overLimit: () => opened };
}

/**
 * What an event makes of a payment at a time. Throws IllegalMove when its status or flow does not allow the event. `by` is
 * who caused it, if that isn't who usually does.
 */
export function applyPaymentEvent(payment: Payment, event: PaymentEvent, now: number, by?: Actor): Step<Payment> {
  const status = statusAfter(payment, event);
  const { attempts: _, clarifying: __, cancelReason: ___, ...answered } = payment;
  const history = remember(payment, event.type, now, by);
  const moved: Payment = { ...answered, ...changes(payment, event), status, history, version: payment.version + 1 };
  const transaction = withDueAt({ ...moved, ...(isFinal(status) && { finalizedAt: now }) }, status, now);
  const step: Step<Payment> = { transaction, entries: [], notify: NOTIFIED.has(status) };
  if (status === 'SUCCESS') return collect(step);
  if (status === 'FAILED') return settleUsage(step, 0);
  return event.type === 'confirmation_needed' || event.type === 'clarified' ? offerAmounts(payment, step, now) : step;
}

/** Takes the data that a payment in EXTRA_DATA_NEEDED waited for; its channel is then called with them. */
export function acceptClarification(payment: Payment, items: Items, now: number): Step<Payment> {
  if (payment.status !== 'EXTRA_DATA_NEEDED' || payment.clarifying || payment.cancelReason !== undefined)
    throw new IllegalMove(payment.status, 'clarified');
  return beginCall({ ...payment, clarifying: items, history: remember(payment, 'data_supplied', now) }, now);
}

/** Lets nobody act on a payment any more; its channel is then asked to cancel it. */
export function requestCancel(payment: Payment, reason: string, now: number, by?: Actor): Step<Payment> {
  if (isFinal(payment.status) || payment.status === 'VERIFYING') throw new IllegalMove(payment.status, 'cancelled');
  if (payment.cancelReason !== undefined) return beginCall(payment, now);
  return beginCall({ ...payment, cancelReason: reason, history: remember(payment, 'cancel_requested', now, by) }, now);
}

/** Whether the customer, or the merchant for the customer, may still act on a payment that waits for them. */
export function isOpen({ cancelReason, clarifying, expiresAt }: Payment, now: number): boolean {
  return cancelReason === undefined && clarifying === undefined && now < expiresAt;
}

/** Makes collected money available, which is due after the method's delay. */
export function settlePayment(payment: Payment, now: number, by?: Actor): Step<Payment> {
  if (payment.status !== 'SUCCESS' || payment.settledAt !== undefined) throw new IllegalMove(payment.status, 'settled');
  const { dueAt: _, ...settled } = payment;
  return {
    transaction: {
      ...settled,
      settledAt: now,
      history: remember(payment, 'settled', now, by),
      version: payment.version + 1,
    },
    entries: [{ from: 'pending', to: 'available', amount: payment.amountPaid ?? 0, reason: 'settled' }],
    notify: false,
  };
}

function statusAfter(payment: Payment, { type }: PaymentEvent): PaymentStatus {
  if (payment.cancelReason !== undefined && !ENDINGS.has(type)) throw new IllegalMove(payment.status, type);
  // Paid after the channel took the data and before the gateway knows: the payment passes that status unseen.
  const unseen = type === 'found_paid' ? PAYMENT_MOVES.clarified[payment.status] : undefined;
  const status = PAYMENT_MOVES[type][unseen ?? payment.status];
  const flow = PAYMENT_FLOWS[type] ?? payment.flow;
  if (!status || flow !== payment.flow) throw new IllegalMove(payment.status, type);
  return status;
}

/** What was collected is what counts against the customer's limits from here on. */
function collect(step: Step<Payment>): Step<Payment> {
  const { amountPaid = 0 } = step.transaction;
  const entries: Step['entries'] = [{ from: 'channel', to: 'pending', amount: amountPaid, reason: 'collected' }];
  return settleUsage({ ...step, entries }, amountPaid);
}

/**
 * Offers the amounts for which the method and the customer have room, since the customer transfers one of them before
 * the gateway hears of it: the largest is reserved until the outcome is known. Without any, the payment is cancelled.
 */
function offerAmounts(payment: Payment, step: Step<Payment>, now: number): Step<Payment> {
  const { payData } = step.transaction;
  const max = findMethod('payment', payment.method)?.limits.max ?? Number.POSITIVE_INFINITY;
  const amounts = payData?.available_amounts.filter((amount) => amount <= max) ?? [];
  if (!payData || amounts.length === 0) return requestCancel(payment, OVER_LIMIT, now);
  const largest = Math.max(...amounts);
  const offer = (available_amounts: readonly number[]): Step<Payment> => ({
    ...step,
    transaction: { ...step.transaction, payData: { ...payData, available_amounts: [...available_amounts] } },
  });
  const smaller = offer(amounts.filter((amount) => amount < largest));
  return reserveUsage(offer(amounts), largest, () => offerAmounts(payment, smaller, now));
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
    case 'found_paid':
      return {};
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
