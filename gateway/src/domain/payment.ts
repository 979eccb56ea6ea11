/** The payment state machine. Pure: no clock, no store, no channel. */
import { IllegalMove, NOTIFIED, PAYMENT_FLOWS, PAYMENT_MOVES, type PaymentEvent } from './events.ts';
import { type Actor, remember, timeOfChange } from './history.ts';
import { createEntry } from './ledger.ts';
import { findLimits, findMethod, type Methods } from './methods.ts';
import { newTransactionFields, type Opening } from './opening.ts';
import { declineByRules, lackingItems } from './rules.ts';
import { beginCall, createStep, DONE, due } from './schedule.ts';
import {
  type Flow,
  type Items,
  isFinal,
  type Next,
  type Order,
  type Payment,
  type PaymentStatus,
  type Step,
} from './transaction.ts';
import { OVER_LIMIT, reserveUsage, settleUsage } from './usage.ts';

/** Validity of a session with an unknown method. It is declined long before. */
const VALIDITY_MS_UNKNOWN_METHOD = 15 * 60_000;

/** Events that a payment still accepts while it is being cancelled. */
const ENDINGS: ReadonlySet<PaymentEvent['type']> = new Set(['declined', 'found_paid']);

export interface PaymentOpening extends Opening<Payment> {
  readonly checkoutToken: string;
}

/** Whether an order is invalid: a method with only the redirect flow requires a return_url (contract: `flow`). */
export function lacksReturnUrl(methods: Methods, { method: name, returnUrl }: Order<Payment>): boolean {
  const method = findMethod(methods, 'payment', name);
  return method !== undefined && !method.flows.includes('h2h') && returnUrl === undefined;
}

/** If a method supports both flows, a return_url selects redirect. */
export function selectFlow(methods: Methods, { method, returnUrl }: Order<Payment>): Flow {
  const redirects = findMethod(methods, 'payment', method)?.flows.includes('redirect') ?? true;
  return returnUrl !== undefined && redirects ? 'redirect' : 'h2h';
}

/**
 * A new payment. It waits for the customer's data if the method requires more. Other problems appear later, by status
 * and webhook (contract: `declines`).
 */
export function openPayment(opening: PaymentOpening): Step<Payment> {
  const { methods, order, now, checkoutToken, plan } = opening;
  const method = findMethod(methods, 'payment', order.method);
  const flow = selectFlow(methods, order);
  const expiresAt = now + (method?.validityMs ?? VALIDITY_MS_UNKNOWN_METHOD);
  const created: Payment = {
    kind: 'payment',
    ...order,
    ...newTransactionFields('payment', opening),
    status: 'CREATED',
    openedAs: 'CREATED',
    flow,
    ...(flow === 'redirect' && { checkoutToken }),
    expiresAt,
    supplied: {},
  };
  const plain = createStep(created, due(now));
  if (plan?.opening) return openAsked(methods, created, plan.opening(created), plain);
  const items = method && flow === 'h2h' && !plan ? lackingItems(method.clarify, { ...created.customer }) : [];
  if (items.length === 0 || declineByRules(methods, created)) return plain;
  const waiting: Payment = {
    ...created,
    status: 'EXTRA_DATA_NEEDED',
    openedAs: 'EXTRA_DATA_NEEDED',
    clarify: items,
  };
  // A customer over a limit is not asked for data: the payment is created and then declined.
  return reserveUsage(methods, createStep(waiting, due(expiresAt), { notify: true }), created.amount, () => plain);
}

/** A payment that begins in the status of an event. Problems appear later, as for any other payment. */
function openAsked(methods: Methods, created: Payment, event: PaymentEvent, plain: Step<Payment>): Step<Payment> {
  if (declineByRules(methods, created)) return plain;
  const { transaction, ...asked } = applyPaymentEvent(methods, created, event, created.createdAt);
  const { history: _, status: openedAs, ...rest } = transaction;
  return { ...asked, transaction: { ...rest, status: openedAs, openedAs }, overLimit: () => plain };
}

/** Events with items that the customer supplied. */
const SUPPLYING: ReadonlySet<PaymentEvent['type']> = new Set(['clarified', 'confirmed', 'paid']);

/**
 * Applies an event to a payment. Throws IllegalMove if its status or flow does not allow the event. `by` is the actor,
 * if it isn't the usual one.
 */
export function applyPaymentEvent(
  methods: Methods,
  payment: Payment,
  event: PaymentEvent,
  now: number,
  by?: Actor,
): Step<Payment> {
  const moved = movePayment(payment, event, now, by);
  const { status } = moved;
  const step: Step<Payment> = {
    ...createStep(moved, scheduleNext(moved, now), { notify: NOTIFIED.has(status) }),
    ...(SUPPLYING.has(event.type) && { supplied: (event as { readonly items: Items }).items }),
  };
  if (status === 'SUCCESS') return collect(methods, step, now);
  if (status === 'FAILED') return settleUsage(step, 0);
  return event.type === 'confirmation_needed' || event.type === 'clarified'
    ? offerAmounts(methods, payment, step, now)
    : step;
}

/**
 * Collects a payment. An unconfirmed one passes through VERIFYING in the same step. Throws IllegalMove if the payment
 * can't have been paid.
 */
export function collectPayment(
  methods: Methods,
  payment: Payment,
  amountPaid: number,
  now: number,
  by?: Actor,
): Step<Payment> {
  const paid = payment.status === 'VERIFYING' ? payment : movePayment(payment, { type: 'found_paid' }, now, by);
  return applyPaymentEvent(methods, paid, { type: 'succeeded', amountPaid }, now, by);
}

/** Takes the data requested from a payment in EXTRA_DATA_NEEDED. Its channel is then called with them. */
export function acceptClarification(payment: Payment, items: Items, now: number): Step<Payment> {
  if (payment.status !== 'EXTRA_DATA_NEEDED' || payment.clarifying || payment.cancelReason !== undefined)
    throw new IllegalMove(payment.status, 'clarified');
  return beginCall({ ...payment, clarifying: items, history: remember(payment, 'data_supplied', now) }, now);
}

/** Decline reason of a payment that the customer cancels, outside the table (contract: `cancellation`). */
export const CANCELLED = 'CANCELLED_BY_CUSTOMER';

/** Closes a payment to further actions. Its channel is then asked to cancel it. */
export function requestCancel(payment: Payment, reason: string, now: number, by?: Actor): Step<Payment> {
  if (isFinal(payment.status) || payment.status === 'VERIFYING') throw new IllegalMove(payment.status, 'cancelled');
  if (payment.cancelReason !== undefined) return beginCall(payment, now);
  return beginCall({ ...payment, cancelReason: reason, history: remember(payment, 'cancel_requested', now, by) }, now);
}

/** Whether the customer, or the merchant for the customer, may still act on a payment that waits for them. */
export function isOpen({ cancelReason, clarifying, expiresAt }: Payment, now: number): boolean {
  return cancelReason === undefined && clarifying === undefined && now < expiresAt;
}

/** The payment after an event, as the same version. */
function movePayment(payment: Payment, event: PaymentEvent, now: number, by?: Actor): Payment {
  const status = statusAfter(payment, event);
  return {
    ...payment,
    ...{ attempts: undefined, clarifying: undefined, cancelReason: undefined },
    ...changes(payment, event),
    status,
    history: remember(payment, event.type, now, by),
    ...(isFinal(status) && { finalizedAt: timeOfChange(payment, now) }),
  };
}

function statusAfter(payment: Payment, { type }: PaymentEvent): PaymentStatus {
  if (payment.cancelReason !== undefined && !ENDINGS.has(type)) throw new IllegalMove(payment.status, type);
  // Paid after the channel took the data and before the gateway was informed: the payment skips that status.
  const unseen = type === 'found_paid' ? PAYMENT_MOVES.clarified[payment.status] : undefined;
  const status = PAYMENT_MOVES[type][unseen ?? payment.status];
  const flow = PAYMENT_FLOWS[type] ?? payment.flow;
  if (!status || flow !== payment.flow) throw new IllegalMove(payment.status, type);
  return status;
}

/**
 * Posts the collected amount, which counts against the customer's limits from here on, and becomes available after the
 * method's delay.
 */
function collect(methods: Methods, step: Step<Payment>, now: number): Step<Payment> {
  const { amountPaid = 0, finalizedAt = now, method } = step.transaction;
  const availableAt = finalizedAt + (findMethod(methods, 'payment', method)?.settlementMs ?? 0);
  return settleUsage({ ...step, entries: [{ ...createEntry('collected', amountPaid), availableAt }] }, amountPaid);
}

/**
 * Offers the amounts within the limits of the method and the customer, since the customer transfers one of them before
 * the gateway hears of it. The largest is reserved until the outcome is known. Without any, the payment is cancelled.
 */
function offerAmounts(methods: Methods, payment: Payment, step: Step<Payment>, now: number): Step<Payment> {
  const { payData } = step.transaction;
  const max = findLimits(methods, payment)?.max ?? Number.POSITIVE_INFINITY;
  const amounts = payData?.available_amounts.filter((amount) => amount <= max) ?? [];
  if (!payData || amounts.length === 0) return requestCancel(payment, OVER_LIMIT, now);
  const largest = Math.max(...amounts);
  const offer = (available_amounts: readonly number[]): Step<Payment> => ({
    ...step,
    transaction: { ...step.transaction, payData: { ...payData, available_amounts: [...available_amounts] } },
  });
  const smaller = offer(amounts.filter((amount) => amount < largest));
  return reserveUsage(methods, offer(amounts), largest, () => offerAmounts(methods, payment, smaller, now));
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

/** Waiting for the customer ends with the session, and verification is asked for at once. */
function scheduleNext({ status, expiresAt }: Payment, now: number): Next {
  if (isFinal(status)) return DONE;
  return due(status === 'VERIFYING' ? now : expiresAt);
}
