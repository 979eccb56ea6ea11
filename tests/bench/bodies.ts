/** Request bodies for creations, each with a new order ID. */
import { requestExamples } from '../../generated/examples.ts';
import type { CreatePaymentRequest, CreatePayoutRequest } from '../../generated/types.ts';

const CUSTOMERS = 10_000;
/** A closed port: deliveries fail at once and are retried later. */
const NOBODY = 'http://127.0.0.1:9/';
/** Minor units, small enough to exhaust no wallet and no customer's limit. */
const PAYOUT_AMOUNT = 1_000;

/** Multiplication by this constant spreads consecutive numbers over the 32-bit range (Knuth's multiplicative hash). */
export const SCATTER = 2_654_435_761;

/** The number in 8 hexadecimal digits that sort in another order than the numbers. */
export function scattered(number: number): string {
  return (Math.imul(number, SCATTER) >>> 0).toString(16).padStart(8, '0');
}

/** Creates values from the numbers 0, 1, 2, and so on. */
export function sequence<T>(make: (index: number) => T): () => T {
  let index = 0;
  return () => make(index++);
}

/** Payments of many customers with consecutive order ids. */
export function payments(tag: string, callbackUrl = NOBODY): () => CreatePaymentRequest {
  const { body } = requestExamples.createPayment['h2h-upi'];
  return sequence((index) => ({
    ...body,
    customer: { ...body.customer, id: `payer-${index % CUSTOMERS}` },
    merchant_order_id: `${tag}-${index}`,
    callback_url: callbackUrl,
  }));
}

/** Payments with scattered order ids and customers, which spread over the database's indexes. */
export function scatteredPayments(tag: string): () => CreatePaymentRequest {
  const next = payments(tag);
  return sequence((index) => {
    const payment = next();
    return {
      ...payment,
      customer: { ...payment.customer, id: `payer-${scattered(index % CUSTOMERS)}` },
      merchant_order_id: `${scattered(index)}-${tag}`,
    };
  });
}

/** Small payouts to many customers. */
export function payouts(tag: string): () => CreatePayoutRequest {
  const { body } = requestExamples.createPayout['imps-inr'];
  return sequence((index) => ({
    ...body,
    amount: PAYOUT_AMOUNT,
    customer: { ...body.customer, id: `payer-${index % CUSTOMERS}` },
    merchant_order_id: `${tag}-${index}`,
    callback_url: NOBODY,
  }));
}
