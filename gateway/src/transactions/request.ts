/** Requests that open transactions, and the domain's words for them. */
import type { CreatePaymentRequest, CreatePayoutRequest } from '../../../generated/types.ts';
import type { Order, Payment, Payout, Transaction } from '../domain/transaction.ts';

/** The order of a payment. */
export function paymentOrder(body: CreatePaymentRequest): Order<Payment> {
  const { return_url: returnUrl, customer } = body;
  return { ...common(body), customer, ...(returnUrl !== undefined && { returnUrl }) };
}

/** The order of a payout. */
export function payoutOrder(body: CreatePayoutRequest): Order<Payout> {
  return { ...common(body), customer: body.customer };
}

function common(body: CreatePaymentRequest | CreatePayoutRequest) {
  const { merchant_order_id: orderId, amount, currency, payment_method_type: method, callback_url: callbackUrl } = body;
  return { orderId, amount, currency, method, callbackUrl };
}

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
