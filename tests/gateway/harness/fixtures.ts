/** Requests and rows for tests: the document's examples with a test's changes. */

import { type Database, Rejection, type Store } from '../../../gateway/src/database/store.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { openPayment } from '../../../gateway/src/domain/payment.ts';
import type { Payment, Step } from '../../../gateway/src/domain/transaction.ts';
import { postEntry } from '../../../gateway/src/ledger/wallets.ts';
import { createMerchant, type Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { paymentOrder } from '../../../gateway/src/transactions/orders.ts';
import { insertTransaction } from '../../../gateway/src/transactions/rows.ts';
import { webhookBody } from '../../../gateway/src/transactions/view.ts';
import { type StepRejection, type WriteOptions, writeStep } from '../../../gateway/src/transactions/write-step.ts';
import { requestExamples } from '../../../generated/examples.ts';
import type { CreatePaymentRequest, CreatePayoutRequest } from '../../../generated/types.ts';

/** The time in the document's examples. */
export const START = Date.UTC(2026, 2, 2, 9);

export const PAYMENT: CreatePaymentRequest = requestExamples.createPayment['h2h-upi'].body;
export const REDIRECT: CreatePaymentRequest = requestExamples.createPayment['redirect-upi'].body;
export const PAYOUT: CreatePayoutRequest = requestExamples.createPayout['imps-inr'].body;

type Changes<R extends { customer: object }> = Partial<Omit<R, 'customer'>> & { customer?: Partial<R['customer']> };

/** The example's host-to-host payment, with a random order ID. */
export function paymentRequest(changes: Changes<CreatePaymentRequest> = {}, base = PAYMENT): CreatePaymentRequest {
  return {
    ...base,
    merchant_order_id: randomIds.text(16),
    ...changes,
    customer: { ...base.customer, ...changes.customer },
  };
}

/** The example's payout, with a random order ID. */
export function payoutRequest(changes: Changes<CreatePayoutRequest> = {}): CreatePayoutRequest {
  return {
    ...PAYOUT,
    merchant_order_id: randomIds.text(16),
    ...changes,
    customer: { ...PAYOUT.customer, ...changes.customer },
  };
}

export function addMerchant(store: Store, name = 'Test merchant'): Promise<Merchant> {
  return store.unit((db) => createMerchant(db, name, START));
}

/** Adds a payment in CREATED, due at once. */
export async function addPayment(store: Store, merchant: Merchant, changes: Partial<Payment> = {}): Promise<Payment> {
  const { transaction } = openPayment({
    methods: sandboxMethods,
    id: randomIds.newId('pay', START),
    merchantId: merchant.id,
    order: paymentOrder(paymentRequest()),
    now: START,
    checkoutToken: randomIds.text(32),
  });
  const payment = { ...transaction, ...changes };
  await store.unit((db) => insertTransaction(db, payment));
  return payment;
}

/** Writes a step within a unit of work. Returns its rejection, if any. */
export async function recordStep(db: Database, step: Step, options: WriteOptions): Promise<StepRejection | undefined> {
  const written = await writeStep(db, step, options);
  return written instanceof Rejection ? written : undefined;
}

/** Records a step in a separate unit of work. */
export function record(store: Store, step: Step, now = START): Promise<StepRejection | undefined> {
  return store.unit((db) => recordStep(db, step, { ids: randomIds, webhook: webhookBody(step), now }));
}

/** Funds the merchant's wallet. */
export async function fund(store: Store, merchant: Merchant, amount: number, currency = 'INR'): Promise<void> {
  const posting = {
    id: randomIds.newId('led', START),
    merchantId: merchant.id,
    currency,
    transactionId: null,
    now: START,
  };
  await store.unit((db) => postEntry(db, { from: 'bank', to: 'available', amount, reason: 'funded' }, posting));
}
