import type { CreatePaymentRequest, CreatePayoutRequest } from '../../../generated/types.ts';
import type { Transaction } from '../domain/transaction.ts';

/** The request that the transaction was created from, which it keeps in full. */
export function requestOf(transaction: Transaction): CreatePaymentRequest | CreatePayoutRequest {
  const { amount, currency, orderId, customer, method, callbackUrl } = transaction;
  return {
    amount,
    currency,
    merchant_order_id: orderId,
    customer,
    payment_method_type: method,
    callback_url: callbackUrl,
    ...(transaction.kind === 'payment' && transaction.returnUrl !== undefined && { return_url: transaction.returnUrl }),
  };
}
