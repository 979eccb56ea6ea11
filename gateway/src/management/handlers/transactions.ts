/** Payments and payouts of all merchants, with their history. */
import type {
  ChannelCall,
  FailingTransactionList,
  Transaction,
  TransactionDetails,
} from '../../../../generated/management/types.ts';
import { type Calls, listCalls } from '../../domain/channel-calls.ts';
import type { Transaction as StoredTransaction } from '../../domain/transaction.ts';
import { ProblemError } from '../../http/problems.ts';
import { type FailingTransaction, failuresOf, unhealthyTransactions } from '../../transactions/failures.ts';
import { anyTransactionById } from '../../transactions/rows.ts';
import { timestamp, viewTransaction } from '../../transactions/view.ts';
import { viewPosted } from '../ledger.ts';
import type { ManagementCall, ManagementOperation, ManagementServices } from '../operation.ts';
import { type CreatedParameters, createdRange, limitOf, type PageParameters } from '../pages.ts';
import { listProposals } from '../proposal-rows.ts';
import {
  historyOfTransaction,
  summarizeTransaction,
  type TransactionParameters,
  transactionPage,
} from '../transactions.ts';
import { withDeliveries } from './events.ts';
import { viewExceptions } from './exceptions.ts';
import { viewProposal } from './proposals.ts';

/** Of a transaction, the newest are shown. */
const PROPOSALS_MAX = 20;

type ListParameters = TransactionParameters & CreatedParameters & { readonly merchant_id?: string };

export const listPayments = list('payment');
export const listPayouts = list('payout');
export const getPayment = get('payment');
export const getPayout = get('payout');

export async function listFailingTransactions(
  { store }: ManagementServices,
  { parameters }: ManagementCall<undefined, PageParameters>,
): Promise<FailingTransactionList> {
  const found = await unhealthyTransactions(store.read, limitOf(parameters));
  return {
    data: found.map(({ transaction, failing }) => ({
      ...summarize(transaction),
      ...(failing && { failing: viewFailing(failing) }),
    })),
  };
}

function list(kind: StoredTransaction['kind']): ManagementOperation {
  return ({ store }, { parameters }: ManagementCall<undefined, ListParameters>) => {
    const { merchant_id: id } = parameters;
    const merchantId = id === undefined ? undefined : Number(id);
    return transactionPage(store.read, merchantId, kind, parameters, summarize, createdRange(parameters));
  };
}

function get(kind: StoredTransaction['kind']): ManagementOperation {
  return async (
    { store },
    { parameters }: ManagementCall<undefined, { transaction_id: string }>,
  ): Promise<TransactionDetails> => {
    const { transaction_id: id } = parameters;
    const found = await anyTransactionById(store.read, kind, id);
    if (!found) throw new ProblemError('not-found', `No ${kind} has the id ${id}.`);
    const { statuses, entries, events } = await historyOfTransaction(store.read, found);
    const failing = await failuresOf(store.read, id);
    const proposals = await listProposals(store.read, { transactionId: id }, { limit: PROPOSALS_MAX });
    return {
      ...summarize(found),
      resource: viewTransaction(found) as TransactionDetails['resource'],
      statuses: [...statuses],
      channel_calls: listCalls(found).map(viewCalls),
      ledger_entries: entries.map(viewPosted),
      events: events.map(withDeliveries),
      channel: found.channel,
      ...(failing && { failing: viewFailing(failing) }),
      ...viewExceptions(found),
      proposals: proposals.map(viewProposal),
      ...(found.dueAt !== undefined && { next_step_at: timestamp(found.dueAt) }),
    };
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

function summarize(transaction: StoredTransaction): Transaction {
  return { ...summarizeTransaction(transaction), merchant_id: transaction.merchantId };
}
