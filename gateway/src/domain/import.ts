/** Transactions that a channel has processed and the database lacks, as after restoring a backup. Pure. */
import type { Methods } from './methods.ts';
import { collectPayment, openPayment } from './payment.ts';
import { applyPayoutEvent, openPayout } from './payout.ts';
import type { Payment, Payout, Step, Transaction } from './transaction.ts';

/** The facts of a transaction that operators know from the channel's statement and from the merchant. */
export interface ImportedOrder {
  readonly orderId: string;
  /** The moved amount in minor units. */
  readonly amount: number;
  readonly currency: Transaction['currency'];
  readonly method: string;
  readonly channel: string;
  readonly customerId: string;
}

interface Importing {
  readonly methods: Methods;
  readonly id: string;
  readonly merchantId: number;
  readonly order: ImportedOrder;
  readonly createdAt: number;
}

/** Creates a transaction in SUCCESS, with all its ledger entries and without a webhook. */
export function importTransaction(kind: Transaction['kind'], importing: Importing, now: number): Step<Transaction> {
  return kind === 'payment' ? importPayment(importing, now) : importPayout(importing, now);
}

function importPayment({ createdAt, order, ...rest }: Importing, now: number): Step<Payment> {
  const opening = { ...rest, order: toOrder(order), now: createdAt, checkoutToken: '' };
  // The method's required data is no longer needed.
  const { clarify: _, ...opened } = openPayment(opening).transaction;
  const created: Payment = { ...opened, channel: order.channel, status: 'CREATED', openedAs: 'CREATED', version: 0 };
  return { ...collectPayment(rest.methods, created, order.amount, now, 'operator'), notify: false };
}

function importPayout({ createdAt, order, ...rest }: Importing, now: number): Step<Payout> {
  const opened = openPayout({ ...rest, order: toOrder(order), now: createdAt, fundsHold: 'held' });
  const created: Payout = { ...opened.transaction, channel: order.channel, version: 0 };
  const paid = applyPayoutEvent(created, { type: 'succeeded' }, now, 'operator');
  return { ...paid, entries: [...opened.entries, ...paid.entries], notify: false };
}

function toOrder({ orderId, amount, currency, method, customerId }: ImportedOrder) {
  return { orderId, amount, currency, method, customer: { id: customerId }, callbackUrl: '' };
}
