/** Payments and payouts with their history. */
import type {
  ChannelCall,
  FailingTransactionList,
  TransactionDetails,
} from '../../../../generated/management/types.ts';
import { type Calls, listCalls } from '../../domain/channel-calls.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { ProblemError } from '../../http/problems.ts';
import { type FailingTransaction, findFailures, listUnhealthyTransactions } from '../../transactions/failures.ts';
import { restoreRequest } from '../../transactions/orders.ts';
import { anyTransactionById } from '../../transactions/rows.ts';
import { timestamp, viewTransaction } from '../../transactions/view.ts';
import type { AdministrationServices } from '../administration-services.ts';
import { explainDecline } from '../decline-explanation.ts';
import { viewPosted } from '../ledger.ts';
import type { ManagementCall, ManagementOperation, ManagementServices } from '../operation.ts';
import { type CreatedParameters, createdRange, type PageParameters, readLimit } from '../pages.ts';
import { listProposals } from '../proposal-rows.ts';
import { createTimeline } from '../timeline.ts';
import {
  historyOfTransaction,
  summarizeTransaction,
  type TransactionParameters,
  transactionPage,
} from '../transactions.ts';
import { withDeliveries } from './events.ts';
import { viewExceptions } from './exceptions.ts';
import { viewProposal } from './proposals.ts';

/** Maximum number of proposals shown per transaction, newest first. */
const PROPOSALS_MAX = 20;
/** Maximum number of requests in a timeline, newest first. */
const REQUESTS_MAX = 200;

export const listPayments = list('payment');
export const listPayouts = list('payout');
export const getPayment = get('payment');
export const getPayout = get('payout');

export async function listFailingTransactions(
  { store }: AdministrationServices,
  { parameters }: ManagementCall<undefined, PageParameters>,
): Promise<FailingTransactionList> {
  const found = await listUnhealthyTransactions(store.read, readLimit(parameters));
  return {
    data: found.map(({ transaction, failing }) => ({
      ...summarizeTransaction(transaction),
      ...(failing && { failing: viewFailing(failing) }),
    })),
  };
}

function list(kind: Transaction['kind']): ManagementOperation {
  return (
    { store },
    { parameters, merchantId }: ManagementCall<undefined, TransactionParameters & CreatedParameters>,
  ) => transactionPage(store.read, merchantId, kind, parameters, createdRange(parameters));
}

function get(kind: Transaction['kind']): ManagementOperation {
  return async (
    services,
    { parameters, merchantId, operator }: ManagementCall<undefined, { transaction_id: string }>,
  ): Promise<TransactionDetails> => {
    const { transaction_id: id } = parameters;
    const found = await anyTransactionById(services.store.read, kind, id);
    if (!found || (merchantId !== undefined && found.merchantId !== merchantId)) {
      throw new ProblemError('not-found', `No ${kind} has the id ${id}.`);
    }
    const details = operator ? await describeToOperator(services, found) : describeToMerchant(services, found);
    const history = await describeHistory(services, found);
    const requests = operator
      ? []
      : await services.sandbox?.requests.list(found.merchantId, { transactionId: id }, REQUESTS_MAX);
    const channel_calls = operator ? listCalls(found).map(viewCalls) : [];
    const decline = await explainDecline(services.store.read, services.methods, found);
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

/** The transaction's channel, its failures, and the proposals of operators. */
async function describeToOperator({ store }: ManagementServices, transaction: Transaction) {
  const failing = await findFailures(store.read, transaction.id);
  const proposals = await listProposals(store.read, { transactionId: transaction.id }, { limit: PROPOSALS_MAX });
  return {
    channel: transaction.channel,
    ...(failing && { failing: viewFailing(failing) }),
    ...viewExceptions(transaction),
    proposals: proposals.map(viewProposal),
  };
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

function viewFailing({ failures, error, nextAttemptAt }: FailingTransaction): TransactionDetails['failing'] & object {
  return { failures, error, next_attempt_at: timestamp(nextAttemptAt) };
}
