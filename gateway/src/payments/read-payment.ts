import type { Payment as PaymentView } from '../../../generated/types.ts';
import type { Database } from '../database/store.ts';
import type { Payment } from '../domain/transaction.ts';
import type { Call } from '../http/call.ts';
import { transactionNotFound } from '../http/problems.ts';
import { shownById, transactionById, transactionByOrderId } from '../transactions/rows.ts';
import type { Services } from '../transactions/services.ts';
import { viewPayment } from '../transactions/view.ts';

/** Returns the payment in its current state (source 4.4). */
export async function getPayment(
  { store }: Services,
  { merchant, parameters }: Call<undefined, { transaction_id: string }>,
): Promise<PaymentView> {
  return shownPayment(store.read, merchant.id, parameters.transaction_id);
}

/** Returns the payment of one of the two identifiers (source 4.4). The request has exactly one, as the contract says. */
export async function findPayment(
  { store }: Services,
  { merchant, parameters }: Call<undefined, { transaction_id: string } | { merchant_order_id: string }>,
): Promise<PaymentView> {
  if ('transaction_id' in parameters) return shownPayment(store.read, merchant.id, parameters.transaction_id);
  const { merchant_order_id: orderId } = parameters;
  const payment = await transactionByOrderId(store.read, merchant.id, 'payment', orderId);
  if (!payment) throw transactionNotFound('payment', 'order id');
  return viewPayment(payment);
}

async function shownPayment(db: Database, merchantId: number, id: string): Promise<PaymentView> {
  const payment = await shownById(db, merchantId, 'payment', id);
  if (!payment) throw transactionNotFound('payment');
  return viewPayment(payment);
}

/** Returns the merchant's payment. Throws the problem `not-found`, including for another merchant's payment. */
export async function requirePayment(db: Database, merchantId: number, id: string): Promise<Payment> {
  const payment = await transactionById(db, merchantId, 'payment', id);
  if (!payment) throw transactionNotFound('payment');
  return payment;
}
