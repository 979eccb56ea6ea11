/**
 * Decisions: pure functions from a transaction and a command, or the passage of time, to the next event, as
 * `{ type, changes }`. A command that can't be carried out throws a problem.
 */
import {
  CHANNEL_MS,
  MAX_AMOUNT,
  PAYMENT_METHODS,
  PAYOUT_METHODS,
  PAYOUT_MS,
  SETTLEMENT_MS,
  testPlan,
} from './methods.js';
import { invalid, Problem } from './problem.js';

/** Statuses of an open payment, in their order. */
const OPEN_STATUSES = ['CREATED', 'EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED', 'VERIFYING'];

const failed = (kind, reason) => ({ type: `${kind}.failed`, changes: { status: 'FAILED', decline_reason: reason } });

export function createPayment(merchant, request, page) {
  const method = PAYMENT_METHODS[request.payment_method_type];
  const hasReturn = request.return_url !== undefined;
  if (method && !hasReturn && !method.flows.includes('h2h')) {
    throw invalid([{ in: 'body', pointer: '/return_url', message: 'is missing, and the payment method needs it' }]);
  }
  const isRedirect = hasReturn && method?.flows.includes('redirect');
  const flow = isRedirect ? 'redirect' : 'h2h';
  const payment = { kind: 'payment', merchant, flow, request, customer: request.customer };
  return { type: 'payment.created', changes: { ...payment, ...opening(payment, method, page) } };
}

function opening(payment, method, page) {
  const reason = refusal(payment.request, method);
  if (reason) return failed('payment', reason).changes;
  if (payment.flow === 'redirect') return { status: 'CREATED', page };
  // Trusted customers are routed to a channel that responds at once.
  return payment.customer.kyc_level === 'TRUSTED' ? nextRequirement(payment) : { status: 'CREATED' };
}

export function createPayout(merchant, request, available) {
  const method = PAYOUT_METHODS[request.payment_method_type];
  const lacksAccount = method?.account.some((field) => request.customer[field] === undefined);
  const reason =
    refusal(request, method) ??
    (lacksAccount ? 'INVALID_ACCOUNT_DETAILS' : undefined) ??
    (request.amount > available ? 'INSUFFICIENT_BALANCE' : undefined);
  const first = reason ? failed('payout', reason).changes : { status: 'PROCESSING' };
  return { type: 'payout.created', changes: { kind: 'payout', merchant, request, ...first } };
}

/** The reason to decline a transaction at once. The money and the account of a payout are judged after it. */
function refusal({ amount, currency, customer }, method) {
  const plan = testPlan(customer.id);
  if (plan.declines && !plan.in) return plan.declines;
  if (!method) return 'METHOD_NOT_SUPPORTED';
  if (method.currency !== currency) return 'CURRENCY_NOT_SUPPORTED';
  return amount > MAX_AMOUNT ? 'INVALID_AMOUNT' : undefined;
}

/** The next step of an H2H payment: more customer data, or else the transfer. */
function nextRequirement({ request, customer }) {
  const missing = PAYMENT_METHODS[request.payment_method_type].asks
    .map((group) => group.filter((item) => customer[item] === undefined))
    .find((group) => group.length > 0);
  return missing
    ? { status: 'EXTRA_DATA_NEEDED', clarify: missing }
    : {
        status: 'PAY_CONFIRMATION_NEEDED',
        pay_data: { receiver_account: 'daybook.collect@upi' },
        confirm: ['tid', 'payer_vpa'],
      };
}

export function clarifyPayment(payment, { clarify_data: data }) {
  requireStatus(payment, 'EXTRA_DATA_NEEDED');
  requireItems(payment.clarify, data, '/clarify_data');
  const customer = { ...payment.customer, ...data };
  const next = isDeclined(payment)
    ? failed('payment', planOf(payment).declines).changes
    : nextRequirement({ ...payment, customer });
  return { type: 'payment.clarified', changes: { customer, ...next } };
}

export function confirmPayment(payment, { confirm_data: confirmation }) {
  requireStatus(payment, 'PAY_CONFIRMATION_NEEDED');
  requireItems(payment.confirm, confirmation, '/confirm_data');
  return { type: 'payment.confirmed', changes: { status: 'VERIFYING', confirmation } };
}

/** The customer's choice on the payment page. Undefined if none is left. */
export function leavePage(payment, action) {
  if (payment.status !== 'CREATED') return undefined;
  if (action === 'cancel') return failed('payment', 'CANCELLED_BY_CUSTOMER');
  if (action !== 'pay') return undefined;
  const { settlesAtOnce } = PAYMENT_METHODS[payment.request.payment_method_type];
  const isSettled = settlesAtOnce && !planOf(payment).declines;
  return isSettled ? succeeded(payment) : { type: 'payment.paid', changes: { status: 'VERIFYING' } };
}

const succeeded = (payment) => ({
  type: 'payment.succeeded',
  changes: { status: 'SUCCESS', amount_paid: planOf(payment).pays ?? payment.request.amount },
});

function requireStatus(payment, status) {
  if (payment.status !== status) {
    throw new Problem('wrong-state', `The payment is ${payment.status}, not ${status}. Read it before you act on it.`);
  }
}

function requireItems(names, data, pointer) {
  const missing = names.filter((name) => !Object.hasOwn(data, name));
  const violations = missing.map((name) => ({ in: 'body', pointer: `${pointer}/${name}`, message: 'is missing' }));
  if (violations.length > 0) throw invalid(violations);
}

const planOf = ({ request }) => testPlan(request.customer.id);
const isStopped = (transaction) => planOf(transaction).stops.includes(transaction.status);

/** Whether the plan of a test customer has the transaction declined in its status or an earlier one. */
function isDeclined(transaction) {
  const { declines, in: from } = planOf(transaction);
  if (!declines) return false;
  const { kind, status } = transaction;
  return kind === 'payout' || OPEN_STATUSES.indexOf(status) >= OPEN_STATUSES.indexOf(from);
}

/**
 * The step that follows if nothing else happens, as `{ at, event }`, with `at` in milliseconds since 1970. Undefined if
 * there is none.
 */
export function nextStep(transaction) {
  const step = isStopped(transaction) ? undefined : serviceStep(transaction);
  if (step) return { at: Date.parse(transaction.updated_at) + step.ms, event: step.event };
  const canExpire = transaction.kind === 'payment' && OPEN_STATUSES.includes(transaction.status);
  return canExpire ? { at: expiry(transaction), event: failed('payment', 'TIMEOUT_EXPIRED') } : undefined;
}

/** The step of a transaction that its plan stops in the status. Undefined if it isn't there, or waits for others. */
export const release = (transaction, status) =>
  isStopped(transaction) && transaction.status === status ? serviceStep(transaction)?.event : undefined;

/** The step that the service takes by itself, and the time that it takes. */
function serviceStep(transaction) {
  const { kind, flow, request, status, settled } = transaction;
  if (status === 'FAILED') return undefined;
  if (status === 'SUCCESS') {
    const event = { type: 'payment.settled', changes: { settled: true } };
    return kind === 'payment' && !settled ? { ms: SETTLEMENT_MS[request.currency], event } : undefined;
  }
  if (isDeclined(transaction)) return { ms: CHANNEL_MS, event: failed(kind, planOf(transaction).declines) };
  if (kind === 'payout') return { ms: PAYOUT_MS, event: { type: 'payout.succeeded', changes: { status: 'SUCCESS' } } };
  if (status === 'VERIFYING') return { ms: CHANNEL_MS, event: succeeded(transaction) };
  if (status !== 'CREATED' || flow === 'redirect') return undefined;
  return { ms: CHANNEL_MS, event: { type: 'payment.routed', changes: nextRequirement(transaction) } };
}

/** The end of a payment's validity, in milliseconds since 1970. */
export const expiry = ({ request, created_at }) =>
  Date.parse(created_at) + PAYMENT_METHODS[request.payment_method_type].validFor;
