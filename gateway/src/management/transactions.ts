/** Payments and payouts: pages of them, and the history of one. */
import type { StatusChange, TransactionList, TransactionSummary } from '../../../generated/management/types.ts';
import { paymentStatuses, payoutStatuses } from '../../../generated/statuses.ts';
import type { Database } from '../database/store.ts';
import { listChanges } from '../domain/history.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { ReadParameters } from '../http/gateway-apis.ts';
import { invalid } from '../http/problems.ts';
import { entriesOfTransaction, type PostedEntry } from '../ledger/ledger-pages.ts';
import type { KeyRing } from '../platform/key-ring.ts';
import { countTransactions, listTransactions, type TransactionFilter } from '../transactions/merchant-transactions.ts';
import { normalizeReference } from '../transactions/search-keys.ts';
import { timestamp } from '../transactions/view.ts';
import { eventsOfTransaction, type StoredEvent } from '../webhooks/merchant-events.ts';
import type { AdministrationServices } from './operation.ts';
import { createdRange, idCursor, readLimit } from './parameters.ts';

/** The past of a transaction, each part in order. */
export interface TransactionHistory {
  readonly statuses: readonly StatusChange[];
  readonly entries: readonly PostedEntry[];
  readonly events: readonly StoredEvent[];
}

const STATUSES = { payment: paymentStatuses, payout: payoutStatuses };
const PREFIX = { payment: 'pay', payout: 'out' } as const;

/** A page of the transactions of a kind that fit, of a merchant or of all, newest first. */
export async function transactionPage(
  { store: { read: db }, secretKeys }: Pick<AdministrationServices, 'store' | 'secretKeys'>,
  merchantId: number | undefined,
  kind: Transaction['kind'],
  parameters: ReadParameters<'management', 'listPayments'>,
): Promise<TransactionList> {
  const { status, method, merchant_order_id: orderId, customer_id: customerId, search } = parameters;
  requireStatus(kind, status);
  const { decline_reason: declineReason, amount, reference } = parameters;
  const filter: TransactionFilter = {
    ...{ status, method, orderId, customerId, declineReason, search, created: createdRange(parameters) },
    ...(amount !== undefined && { amount: Number(amount) }),
    ...(reference !== undefined && { reference: readReference(reference, secretKeys) }),
  };
  const page = { from: idCursor(parameters, PREFIX[kind]), limit: readLimit(parameters) };
  const { transactions, next } = await listTransactions(db, merchantId, kind, filter, page);
  return {
    data: transactions.map(summarizeTransaction),
    ...(next !== undefined && { next_cursor: next }),
    ...(parameters.count === 'true' && { total: await countTransactions(db, merchantId, kind, filter) }),
  };
}

/** A status that no transaction of the kind ever has is a mistake, which an empty page would hide. */
function requireStatus(kind: Transaction['kind'], status: string | undefined): void {
  const known: readonly string[] = STATUSES[kind];
  if (status === undefined || known.includes(status)) return;
  throw invalid([{ in: 'query', pointer: '/status', message: `must be one of ${known.join(', ')}` }]);
}

function readReference(given: string, secretKeys: KeyRing): TransactionFilter['reference'] {
  const text = normalizeReference(given);
  if (text !== '') return { text, hashes: secretKeys.hashes(text) };
  throw invalid([
    { in: 'query', pointer: '/reference', message: 'must contain letters or digits, such as +919812345671' },
  ]);
}

export async function historyOfTransaction(db: Database, transaction: Transaction): Promise<TransactionHistory> {
  const { id } = transaction;
  return {
    statuses: listStatuses(transaction),
    entries: await entriesOfTransaction(db, id),
    events: await eventsOfTransaction(db, id),
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

/** A transaction as lists and streams show it. */
export function summarizeTransaction(transaction: Transaction): TransactionSummary {
  const { id, orderId, kind, status, amount, currency, method, customer, createdAt, declineReason } = transaction;
  const amountPaid = transaction.kind === 'payment' ? transaction.amountPaid : undefined;
  return {
    transaction_id: id,
    merchant_id: transaction.merchantId,
    merchant_order_id: orderId,
    kind,
    status,
    amount,
    ...(amountPaid !== undefined && { amount_paid: amountPaid }),
    currency,
    payment_method_type: method,
    customer_id: customer.id,
    created_at: timestamp(createdAt),
    ...(declineReason !== undefined && { decline_reason: declineReason }),
  };
}
