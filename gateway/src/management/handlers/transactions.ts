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
  TransactionDetails,
} from '../../../../generated/management/types.ts';
import type { Database } from '../../database/store.ts';
import { type Calls, listCalls } from '../../domain/channel-calls.ts';
import { describeContradiction, openExceptions } from '../../domain/exceptions.ts';
import { listChanges } from '../../domain/history.ts';
import { findLimits, type Methods } from '../../domain/methods.ts';
import type { Exception, Transaction } from '../../domain/transaction.ts';
import { ProblemError } from '../../http/problems.ts';
import type { Operator, Role } from '../../operators/operators.ts';
import { readUsage } from '../../transactions/customer-usage.ts';
import { contradictedTransactions, type ExceptionCursor } from '../../transactions/exception-rows.ts';
import { type FailingTransaction, findFailures, listUnhealthyTransactions } from '../../transactions/failures.ts';
import { restoreRequest } from '../../transactions/orders.ts';
import { anyTransactionById } from '../../transactions/rows.ts';
import { timestamp, viewTransaction } from '../../transactions/view.ts';
import { viewPosted } from '../ledger.ts';
import type { DatabaseOperation, ManagementOperation, ManagementServices } from '../operation.ts';
import { buildPage, type PageParameters, readLimit, unknownCursor } from '../parameters.ts';
import { listProposals } from '../proposal-rows.ts';
import { toCorrection } from '../proposals.ts';
import { createTimeline } from '../timeline.ts';
import { historyOfTransaction, summarizeTransaction, transactionPage } from '../transactions.ts';
import { viewProposal, withDeliveries } from '../views.ts';

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

function list(kind: Transaction['kind']): ManagementOperation<'listPayments'> {
  return (services, { parameters, merchantId }) => transactionPage(services, merchantId, kind, parameters);
}

function get(kind: Transaction['kind']): ManagementOperation<'getPayment'> {
  return async (services, { parameters, merchantId, operator }) => {
    const { transaction_id: id } = parameters;
    const found = await anyTransactionById(services.store.read, kind, id);
    if (!found || (merchantId !== undefined && found.merchantId !== merchantId)) {
      throw new ProblemError('not-found', `No ${kind} has the id ${id}.`);
    }
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
  const { statuses, entries, events } = await historyOfTransaction(services.store.read, transaction);
  return {
    statuses: [...statuses],
    ledger_entries: entries.map(viewPosted),
    events: await Promise.all(events.map((event) => withDeliveries(services, event))),
  };
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
  const { id: _, kyc_level: __, ...customer } = transaction.customer;
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

function viewFailing({ failures, error, nextAttemptAt }: FailingTransaction, transaction: Transaction): FailingStep {
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
    ({ transaction, since }) => `${since}-${transaction.id}`,
    ({ transaction }) => ({
      ...summarizeTransaction(transaction),
      ...viewExceptions(transaction),
    }),
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
