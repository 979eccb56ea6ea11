/** Lists of the merchant's payments and payouts. */
import type { TransactionList, TransactionSummary } from '../../../../generated/sandbox/types.ts';
import { timestamp } from '../../contract/view.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { listTransactions } from '../../store/merchant-transactions.ts';
import type { SandboxCall, SandboxOperation } from '../operation.ts';
import { idCursor, limitOf, type PageParameters } from './pages.ts';

interface ListParameters extends PageParameters {
  readonly status?: string;
  readonly method?: string;
  readonly merchant_order_id?: string;
  readonly customer_id?: string;
}

export const listPayments = list('payment', 'pay');
export const listPayouts = list('payout', 'out');

function list(kind: Transaction['kind'], prefix: string): SandboxOperation {
  return async (
    { store },
    { merchant, parameters }: SandboxCall<undefined, ListParameters>,
  ): Promise<TransactionList> => {
    const { status, method, merchant_order_id: orderId, customer_id: customerId } = parameters;
    const filter = { status, method, orderId, customerId };
    const page = { from: idCursor(parameters, prefix), limit: limitOf(parameters) };
    const { transactions, next } = await listTransactions(store.read, merchant.id, kind, filter, page);
    return { data: transactions.map(summarize), ...(next !== undefined && { next_cursor: next }) };
  };
}

/** A transaction as lists and streams show it. */
export function summarize(transaction: Transaction): TransactionSummary {
  const { id, orderId, kind, status, amount, currency, method, customer, createdAt, declineReason } = transaction;
  const amountPaid = transaction.kind === 'payment' ? transaction.amountPaid : undefined;
  return {
    transaction_id: id,
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
