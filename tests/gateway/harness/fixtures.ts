/** Requests and rows for tests: the document's examples with a test's changes. */

import { type Database, Rejection, type Store } from '../../../gateway/src/database/store.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { openPayment } from '../../../gateway/src/domain/payment.ts';
import { openPayout } from '../../../gateway/src/domain/payout.ts';
import type { Payment, Payout, Step } from '../../../gateway/src/domain/transaction.ts';
import { checkFunds, type Posting, postEntry } from '../../../gateway/src/ledger/wallets.ts';
import { createMerchant, type Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { paymentOrder, payoutOrder } from '../../../gateway/src/transactions/orders.ts';
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

/** Opens the example's payment with these changes. */
export function openTestPayment(
  merchantId: number,
  changes: Changes<CreatePaymentRequest> = {},
  now = START,
): Step<Payment> {
  return openPayment({
    methods: sandboxMethods,
    id: randomIds.newId('pay', now),
    merchantId,
    order: paymentOrder(paymentRequest(changes)),
    now,
    checkoutToken: randomIds.text(32),
  });
}

/** Opens the example's payout with these changes, if the wallet has its amount. Otherwise the payout is declined. */
export async function openTestPayout(
  db: Database,
  merchantId: number,
  changes: Changes<CreatePayoutRequest> = {},
  now = START,
): Promise<Step<Payout>> {
  const order = payoutOrder(payoutRequest(changes));
  const fundsHold = await checkFunds(db, { merchantId, currency: order.currency, now }, order.amount);
  return openPayout({
    methods: sandboxMethods,
    id: randomIds.newId('out', now),
    merchantId,
    order,
    now,
    fundsHold,
  });
}

/** Adds a payment in CREATED, due at once. */
export async function addPayment(store: Store, merchant: Merchant, changes: Partial<Payment> = {}): Promise<Payment> {
  const payment = { ...openTestPayment(merchant.id).transaction, ...changes };
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

/** The posting of a new entry of the merchant, by default in INR at START. */
export function createPosting({ id }: Merchant, changes: Partial<Posting> = {}): Posting {
  const { now = START } = changes;
  return {
    id: randomIds.newId('led', now),
    merchantId: id,
    currency: 'INR',
    transactionId: null,
    now,
    ...changes,
  };
}

/** Funds the merchant's wallet. */
export async function fund(store: Store, merchant: Merchant, amount: number, currency = 'INR'): Promise<void> {
  const entry = { from: 'bank', to: 'available', amount, reason: 'funded' } as const;
  await store.unit((db) => postEntry(db, entry, createPosting(merchant, { currency })));
}

/** A unit of work that has done its work, and stays open until released. */
export async function holdUnit<T>(store: Store, work: (db: Database) => Promise<T>) {
  const held = Promise.withResolvers<T>();
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
  const done = store.unit(async (db) => {
    held.resolve(await work(db));
    await released;
  });
  done.catch(held.reject);
  return { result: await held.promise, letGo, done };
}
