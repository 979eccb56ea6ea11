/** Transactions as the document describes them. */
import type { TransactionSummary } from '../../../generated/sandbox/types.ts';
import { timestamp } from '../contract/view.ts';
import type { Transaction } from '../domain/transaction.ts';

/** A transaction as lists and streams show it. */
export function summarizeTransaction(transaction: Transaction): TransactionSummary {
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
