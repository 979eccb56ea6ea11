/** Payments and payouts with their history. */
import { OTHER_DECLINES } from '../../../../contract/src/other-declines.ts';
import {
  type DeclineText,
  paymentDeclineReasons,
  payoutDeclineReasons,
} from '../../../../generated/decline-reasons.ts';
import type {
  ChannelCall,
  DeclineExplanation,
  ExceptionalTransaction,
  Exception as ExceptionView,
  FailingStep,
  LimitUse,
  StatusChange,
  TransactionDetails,
} from '../../../../generated/management/types.ts';
import { paymentStatuses, payoutStatuses } from '../../../../generated/statuses.ts';
import type { Database } from '../../database/store.ts';
import { type Calls, listCalls } from '../../domain/channel-calls.ts';
import { describeContradiction, openExceptions } from '../../domain/exceptions.ts';
import { listChanges } from '../../domain/history.ts';
import { findLimits, type Methods } from '../../domain/methods.ts';
import { type Exception, ID_PREFIXES, type Transaction } from '../../domain/transaction.ts';
import { invalid, ProblemError } from '../../http/problems.ts';
import { entriesOfTransaction } from '../../ledger/ledger-pages.ts';
import type { Operator, Role } from '../../operators/operators.ts';
import { readUsage } from '../../transactions/customer-usage.ts';
import {
  contradictedTransactions,
  type ExceptionCursor,
  findFailures,
  listUnhealthyTransactions,
  type StepFailures,
} from '../../transactions/failures.ts';
import {
  countTransactions,
  listTransactions,
  type TransactionFilter,
} from '../../transactions/merchant-transactions.ts';
import { restoreRequest } from '../../transactions/orders.ts';
import { transactionById } from '../../transactions/rows.ts';
import { normalizeReference } from '../../transactions/search-keys.ts';
import { timestamp, viewTransaction } from '../../transactions/view.ts';
import { eventsOfTransaction } from '../../webhooks/merchant-events.ts';
import type { DatabaseOperation, ManagementOperation, ManagementServices } from '../operation.ts';
import { buildPage, createdRange, idCursor, type PageParameters, readLimit, unknownCursor } from '../parameters.ts';
import { listProposals, toCorrection } from '../proposal-rows.ts';
import { createTimeline } from '../timeline.ts';
import { summarizeTransaction, viewPosted, viewProposal, withDeliveries } from '../views.ts';

/** Maximum number of proposals shown per transaction, newest first. */
const PROPOSALS_MAX = 20;
/** Maximum number of requests in a timeline, newest first. */
const REQUESTS_MAX = 200;

export const listPayments = list('payment');
export const listPayouts = list('payout');
export const getPayment = get('payment');
export const getPayout = get('payout');

export const listFailingTransactions: DatabaseOperation<'listFailingTransactions'> = async (
  { store },
  { parameters },
) => {
  const found = await listUnhealthyTransactions(store.read, readLimit(parameters));
  return {
    data: found.map(({ transaction, failing }) => ({
      ...summarizeTransaction(transaction),
      ...(failing && { failing: viewFailing(failing, transaction) }),
    })),
  };
};

const STATUSES = { payment: paymentStatuses, payout: payoutStatuses };

function list(kind: Transaction['kind']): ManagementOperation<'listPayments'> {
  return async ({ store: { read: db } }, { parameters, merchantId }) => {
    const { status, method, merchant_order_id: orderId, customer_id: customerId, search } = parameters;
    requireStatus(kind, status);
    const { decline_reason: declineReason, amount, reference } = parameters;
    const filter: TransactionFilter = {
      ...{ merchantId, status, method, orderId, customerId, declineReason, search, created: createdRange(parameters) },
      ...(amount !== undefined && { amount: Number(amount) }),
      ...(reference !== undefined && { reference: readReference(reference, db) }),
    };
    const page = { from: idCursor(parameters, ID_PREFIXES[kind]), limit: readLimit(parameters) };
    const { transactions, next } = await listTransactions(db, kind, filter, page);
    return {
      data: transactions.map(summarizeTransaction),
      ...(next !== undefined && { next_cursor: next }),
      ...(parameters.count === 'true' && { total: await countTransactions(db, kind, filter) }),
    };
  };
}

/** A status that no transaction of the kind ever has is a mistake, which an empty page would hide. */
function requireStatus(kind: Transaction['kind'], status: string | undefined): void {
  const known: readonly string[] = STATUSES[kind];
  if (status === undefined || known.includes(status)) return;
  throw invalid([{ in: 'query', pointer: '/status', message: `must be one of ${known.join(', ')}` }]);
}

function readReference(given: string, { keys }: Database): TransactionFilter['reference'] {
  const text = normalizeReference(given);
  if (text !== '') return { text, hashes: keys.hashes(text) };
  throw invalid([
    { in: 'query', pointer: '/reference', message: 'must contain letters or digits, such as +919812345671' },
  ]);
}

function get(kind: Transaction['kind']): ManagementOperation<'getPayment'> {
  return async (services, { parameters, merchantId, operator }) => {
    const { transaction_id: id } = parameters;
    const own = merchantId === undefined ? {} : { merchantId };
    const found = await transactionById<Transaction['kind']>(services.store.read, id, { kind, ...own });
    if (!found) throw new ProblemError('not-found', `No ${kind} has the id ${id}.`);
    const details = operator
      ? await describeToOperator(services, found, operator)
      : describeToMerchant(services, found);
    const history = await describeHistory(services, found);
    const requests = operator
      ? []
      : await services.sandbox?.requests.list(found.merchantId, { transactionId: id }, REQUESTS_MAX);
    const channel_calls = operator ? listCalls(found).map(viewCalls) : [];
    const decline = await explainDecline(services, found);
    return {
      ...summarizeTransaction(found),
      resource: viewTransaction(found) as TransactionDetails['resource'],
      ...history,
      timeline: createTimeline(found, { ...history, requests: requests ?? [], channel_calls }),
      ...(operator && { channel_calls }),
      ...(decline && { decline }),
      ...(found.dueAt !== undefined && { next_step_at: timestamp(found.dueAt) }),
      ...details,
    };
  };
}

async function describeHistory(services: ManagementServices, transaction: Transaction) {
  const { read } = services.store;
  const entries = await entriesOfTransaction(read, transaction.id);
  const events = await eventsOfTransaction(read, transaction.id);
  return {
    statuses: listStatuses(transaction),
    ledger_entries: entries.map(viewPosted),
    events: await Promise.all(events.map((event) => withDeliveries(services, event))),
  };
}

/** Each status with its cause. Of old transactions only the first status and the last are known. */
function listStatuses(transaction: Transaction): StatusChange[] {
  const { finalizedAt, status } = transaction;
  const changes = listChanges(transaction).map(
    ({ at, cause, by, ...after }): StatusChange => ({
      at: timestamp(at),
      status: after.status,
      cause: `${cause} by ${by}`,
    }),
  );
  if (finalizedAt === undefined || changes.some((change) => change.status === status)) return changes;
  return [...changes, { at: timestamp(finalizedAt), status }];
}

/** The merchant's own request, with the data of its customer, and the address of the payment page. */
function describeToMerchant({ checkoutUrl, sandbox }: ManagementServices, transaction: Transaction) {
  const token = transaction.kind === 'payment' ? transaction.checkoutToken : undefined;
  return {
    request: { ...restoreRequest(transaction) },
    ...(token !== undefined && { checkout_url: checkoutUrl(token) }),
    ...(sandbox && { legal_events: sandbox.legalEvents(transaction) }),
  };
}

/** The transaction's channel, its failures, the proposals of operators, and personal data as the operator's role allows. */
async function describeToOperator({ store }: ManagementServices, transaction: Transaction, { role }: Operator) {
  const failing = await findFailures(store.read, transaction.id);
  const proposals = await listProposals(store.read, { transactionId: transaction.id }, { limit: PROPOSALS_MAX });
  return {
    channel: transaction.channel,
    personal_data: viewPersonalData(transaction, role),
    ...(failing && { failing: viewFailing(failing, transaction) }),
    ...viewExceptions(transaction),
    proposals: proposals.map(viewProposal),
  };
}

/** The data that the merchant and the customer supplied. The role `read` gets them masked. */
function viewPersonalData(transaction: Transaction, role: Role): Record<string, string> {
  const { id, kyc_level, ...customer } = transaction.customer;
  const data = { ...customer, ...(transaction.kind === 'payment' && transaction.supplied) };
  const view = role === 'read' ? mask : String;
  return Object.fromEntries(Object.entries(data).map(([name, value = '']) => [name, view(value)]));
}

/** Only the last four digits of a number stay. */
function mask(value: string): string {
  return `…${/(?<=.{4})\d{4}$/.exec(value)?.[0] ?? ''}`;
}

function viewCalls({ call, at, result, took, error, times, lastAt }: Calls): ChannelCall {
  return {
    call,
    at: timestamp(at),
    ...(result !== undefined && { result }),
    ...(took !== undefined && { duration_ms: took }),
    ...(error !== undefined && { error }),
    times,
    ...(times > 1 && { last_at: timestamp(lastAt) }),
  };
}

function viewFailing({ failures, error, nextAttemptAt }: StepFailures, transaction: Transaction): FailingStep {
  const { error: ofChannel = error } = listCalls(transaction).at(-1) ?? {};
  return {
    ...{ failures, error, next_attempt_at: timestamp(nextAttemptAt) },
    ...(ofChannel !== error && { channel_error: ofChannel }),
  };
}

export const listExceptions: DatabaseOperation<'listExceptions'> = async ({ store }, { parameters }) => {
  const limit = readLimit(parameters);
  const found = await contradictedTransactions(store.read, { after: readCursor(parameters), limit: limit + 1 });
  return buildPage(
    found,
    limit,
    (last) => `${openExceptions(last)[0]?.at}-${last.id}`,
    (transaction) => ({ ...summarizeTransaction(transaction), ...viewExceptions(transaction) }),
  );
};

/** The exceptions of a transaction, and the correction that would book them. */
function viewExceptions(transaction: Transaction): Pick<ExceptionalTransaction, 'exceptions' | 'correction'> {
  const { direction, amount } = toCorrection(transaction.kind, {
    ...describeContradiction(transaction),
    currency: transaction.currency,
  });
  const isOpen = openExceptions(transaction).length > 0;
  return {
    exceptions: (transaction.exceptions ?? []).map(viewException),
    ...(isOpen && amount > 0 && { correction: { direction, amount } }),
  };
}

function viewException({ at, call, result, amount, reason, resolved }: Exception): ExceptionView {
  return {
    ...{ at: timestamp(at), call, result, amount },
    ...(reason !== undefined && { decline_reason: reason }),
    ...(resolved !== undefined && { resolution: resolved }),
  };
}

function readCursor({ cursor }: PageParameters): ExceptionCursor | undefined {
  if (cursor === undefined) return undefined;
  const [, at, id] = /^(\d{1,15})-((?:pay|out)_[0-9A-Z]{26})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined) throw unknownCursor();
  return { at: Number(at), id };
}

const TEXTS: Readonly<Record<Transaction['kind'], Readonly<Record<string, DeclineText>>>> = {
  payment: { ...paymentDeclineReasons, ...OTHER_DECLINES.payment },
  payout: { ...payoutDeclineReasons, ...OTHER_DECLINES.payout },
};

/** Reasons that can be about a limit. */
const ABOUT_LIMITS: ReadonlySet<string> = new Set(['LIMIT_EXCEEDED', 'INVALID_AMOUNT']);

/** Undefined for a transaction that wasn't declined. */
async function explainDecline(
  { store, methods, channels }: ManagementServices,
  transaction: Transaction,
): Promise<DeclineExplanation | undefined> {
  const { declineReason: reason, kind } = transaction;
  if (reason === undefined) return undefined;
  const texts = Object.hasOwn(TEXTS[kind], reason) ? TEXTS[kind][reason] : undefined;
  const testData = channels.find(transaction.channel)?.testData?.decliner(transaction);
  // Test data decline without a limit being reached.
  const limits = ABOUT_LIMITS.has(reason) && !testData ? await readLimits(store.read, methods, transaction) : undefined;
  return {
    reason,
    by: listChanges(transaction).at(-1)?.by ?? 'gateway',
    ...texts,
    ...(testData && { test_data: testData }),
    ...(limits && { limits }),
  };
}

async function readLimits(db: Database, methods: Methods, transaction: Transaction): Promise<LimitUse[] | undefined> {
  const { amount, usageAmount = 0 } = transaction;
  const limits = findLimits(methods, transaction);
  if (!limits) return undefined;
  const { day, month } = await readUsage(db, transaction);
  const sum = (limit: 'per_day' | 'per_month', most: number, used: number): LimitUse => {
    const value = used - usageAmount;
    return { limit, amount: most, value, exceeded: value + amount > most };
  };
  return [
    { limit: 'min', amount: limits.min, value: amount, exceeded: amount < limits.min },
    { limit: 'max', amount: limits.max, value: amount, exceeded: amount > limits.max },
    sum('per_day', limits.perDay, day),
    sum('per_month', limits.perMonth, month),
  ];
}
