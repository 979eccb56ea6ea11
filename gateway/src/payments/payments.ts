/** The contract's operations on payments. */
import { toPointer } from '../../../contract/src/pointer.ts';
import type {
  ClarifyPaymentRequest,
  ConfirmPaymentRequest,
  ConfirmPaymentResponse,
  CreatePaymentRequest,
  CreatePaymentResponse,
  Payment as PaymentView,
} from '../../../generated/types.ts';
import type { Database } from '../database/store.ts';
import {
  acceptClarification,
  applyPaymentEvent,
  isOpen,
  lacksReturnUrl,
  openPayment,
  selectFlow,
} from '../domain/payment.ts';
import { lackingItems } from '../domain/rules.ts';
import { type Items, isFinal, type Payment, type PaymentStatus, type Step } from '../domain/transaction.ts';
import type { Call } from '../http/context.ts';
import { invalid, ProblemError, transactionNotFound } from '../http/problems.ts';
import { makePendingCall } from '../transactions/advance.ts';
import { type Committed, commitStep } from '../transactions/commit-step.ts';
import { withFirstCall } from '../transactions/next-step.ts';
import { createdBefore, createOpening, paymentOrder, requireUsableUrls } from '../transactions/orders.ts';
import { shownById, transactionById, transactionByOrderId } from '../transactions/rows.ts';
import type { Services } from '../transactions/services.ts';
import { viewConfirmation, viewCreation, viewPayment } from '../transactions/view.ts';

/** Characters of 5 random bits: 160 bits cannot be guessed. */
const TOKEN_LENGTH = 32;

/** Creates a payment (source 4.1). A repeated request gets the first response and moves no money. */
export async function createPayment(
  services: Services,
  { merchant, body }: Call<CreatePaymentRequest>,
): Promise<CreatePaymentResponse> {
  const { store, ids, methods, checkoutUrl } = services;
  requireUsableUrls(body);
  const order = paymentOrder(body);
  if (lacksReturnUrl(methods, order)) {
    throw invalid([{ pointer: '/return_url', message: 'is required, since the method works by redirect' }]);
  }
  // Decide.
  const opening = createOpening(services, merchant, { kind: 'payment', order, flow: selectFlow(methods, order) });
  const checkoutToken = ids.text(TOKEN_LENGTH, 'checkout', merchant.id, order.orderId).toLowerCase();
  const opened = openPayment({ ...opening, checkoutToken });
  const withCall = await withFirstCall(opened, services, opening.now);
  // Write in one transaction, then dispatch to the worker.
  const created = await commitStep(services, opened, { withCall });
  const payment = created?.transaction ?? (await createdBefore(store, opened.transaction, body));
  return viewCreation(payment, checkoutUrl);
}

type ById = { transaction_id: string };

/** Returns the payment in its current state (source 4.4). */
export async function getPayment(
  { store }: Services,
  { merchant, parameters }: Call<undefined, ById>,
): Promise<PaymentView> {
  return showPayment(store.read, merchant.id, parameters.transaction_id);
}

/** Returns the payment of one of the two identifiers (source 4.4). The request has exactly one, as the contract says. */
export async function findPayment(
  { store }: Services,
  { merchant, parameters }: Call<undefined, ById | { merchant_order_id: string }>,
): Promise<PaymentView> {
  if ('transaction_id' in parameters) return showPayment(store.read, merchant.id, parameters.transaction_id);
  const { merchant_order_id: orderId } = parameters;
  const payment = await transactionByOrderId(store.read, merchant.id, 'payment', orderId);
  if (!payment) throw transactionNotFound('payment', 'order id');
  return viewPayment(payment);
}

async function showPayment(db: Database, merchantId: number, id: string): Promise<PaymentView> {
  const payment = await shownById(db, id, { merchantId, kind: 'payment' });
  if (!payment) throw transactionNotFound('payment');
  return viewPayment(payment);
}

/** Returns the merchant's payment. Throws the problem `not-found`, including for another merchant's payment. */
async function requirePayment(db: Database, merchantId: number, id: string): Promise<Payment> {
  const payment = await transactionById(db, id, { merchantId, kind: 'payment' });
  if (!payment) throw transactionNotFound('payment');
  return payment;
}

/**
 * Supplies the data that EXTRA_DATA_NEEDED asked for (source 4.2). The data is stored before the channel is called, so
 * that only one of two requests reaches the channel, and a worker repeats the call after a crash.
 */
export async function clarifyPayment(
  services: Services,
  { merchant, parameters, body }: Call<ClarifyPaymentRequest, ById>,
): Promise<PaymentView> {
  const { clarify_data: items } = body;
  const payment = await waitingPayment(services, merchant.id, parameters.transaction_id, 'EXTRA_DATA_NEEDED');
  requireItems(payment.clarify, items, 'clarify_data');
  const taken = await change(services, acceptClarification(payment, items, services.time.at(merchant.id).now));
  const clarified = await makePendingCall(services, taken);
  return viewPayment(clarified ?? (await requirePayment(services.store.read, merchant.id, payment.id)));
}

/** Takes the transfer reference after the customer has paid (source 4.3). */
export async function confirmPayment(
  services: Services,
  { merchant, parameters, body }: Call<ConfirmPaymentRequest, ById>,
): Promise<ConfirmPaymentResponse> {
  const { confirm_data: items } = body;
  const payment = await waitingPayment(services, merchant.id, parameters.transaction_id, 'PAY_CONFIRMATION_NEEDED');
  requireItems(payment.confirm, items, 'confirm_data');
  requireOfferedAmount(payment, items);
  const event = { type: 'confirmed', items } as const;
  const { transaction: confirmed } = await change(
    services,
    applyPaymentEvent(services.methods, payment, event, services.time.at(merchant.id).now),
  );
  return viewConfirmation(confirmed);
}

async function waitingPayment(
  { store, time }: Services,
  merchantId: number,
  id: string,
  status: PaymentStatus,
): Promise<Payment> {
  const payment = await requirePayment(store.read, merchantId, id);
  const { now } = time.at(merchantId);
  if (payment.status !== status || !isOpen(payment, now)) throw wrongState(payment, now);
  return payment;
}

function requireItems(wanted: readonly string[] | undefined, items: Items, member: string): void {
  const lacking = lackingItems(wanted, items);
  if (lacking.length === 0) return;
  throw invalid(lacking.map((item) => ({ pointer: toPointer(member, item), message: 'is missing' })));
}

/** The customer chose one of the offered amounts. It is a string, like every item. */
function requireOfferedAmount({ payData, confirm }: Payment, { amount }: Items): void {
  const offered = payData?.available_amounts.map(String) ?? [];
  if (!confirm?.includes('amount') || offered.includes(amount ?? '')) return;
  throw invalid([{ pointer: '/confirm_data/amount', message: `must be one of ${offered.join(', ')}` }]);
}

/** Commits a change of a payment. Throws the problem `wrong-state` if a concurrent change was first. */
async function change(services: Services, step: Step<Payment>): Promise<Committed<Payment>> {
  const changed = await commitStep(services, step);
  if (changed) return changed;
  const { merchantId, id } = step.transaction;
  throw wrongState(await requirePayment(services.store.read, merchantId, id), services.time.at(merchantId).now);
}

function wrongState({ status, clarifying, cancelReason, expiresAt }: Payment, now: number): ProblemError {
  const detail = () => {
    if (isFinal(status) || status === 'VERIFYING')
      return `The payment is ${status}; read its status before acting on it`;
    // The worker ends it; until it has, the customer is too late anyway.
    if (now >= expiresAt) return `The payment's session has expired (${status}); start a new payment`;
    if (cancelReason !== undefined) return `The payment is being cancelled (${status})`;
    if (clarifying) return `The payment is ${status} and its data were supplied already; wait for its next status`;
    return `The payment is ${status}; read its status before acting on it`;
  };
  return new ProblemError('wrong-state', `${detail()}.`);
}
