/** What the ledger must say of a transaction: every entry that its steps have made so far. */
import type { LedgerEntry, Payment, Payout, Transaction } from './transaction.ts';

/** The entries by what the transaction has come to, in the order in which they were made. */
export function entriesOf(transaction: Transaction): LedgerEntry[] {
  return transaction.kind === 'payment' ? entriesOfPayment(transaction) : entriesOfPayout(transaction);
}

function entriesOfPayment({ status, amountPaid: amount = 0, settledAt }: Payment): LedgerEntry[] {
  if (status !== 'SUCCESS') return [];
  const collected: LedgerEntry = { from: 'channel', to: 'pending', amount, reason: 'collected' };
  if (settledAt === undefined) return [collected];
  return [collected, { from: 'pending', to: 'available', amount, reason: 'settled' }];
}

function entriesOfPayout({ status, cover, amount }: Payout): LedgerEntry[] {
  if (cover !== 'held' && cover !== 'released') return [];
  const reserved: LedgerEntry = { from: 'available', to: 'reserved', amount, reason: 'reserved' };
  if (status === 'SUCCESS') return [reserved, { from: 'reserved', to: 'bank', amount, reason: 'paid_out' }];
  if (status === 'FAILED') return [reserved, { from: 'reserved', to: 'available', amount, reason: 'released' }];
  return [reserved];
}
