/** The work on transactions that are due. */

import type { Transaction } from '../domain/transaction.ts';
import type { Services } from '../operations/operation.ts';
import { Overtaken, recordChange } from '../store/record.ts';
import { claimDueTransactions, customerUsage, nextDueTransaction } from '../store/transactions.ts';
import { advancePayment, advancePayout } from './advance.ts';
import type { Job } from './worker.ts';

/** A claim ends by itself after this long, so that the work of a process that died is taken over. */
const LEASE_MS = 5_000;

/** Claims due transactions and moves each one step on. */
export function transactionJob({ store, clock, channel, wake }: Services): Job<Transaction> {
  return {
    name: 'transactions',
    concurrency: 256,
    pollMs: 500,
    claim(limit) {
      const now = clock.now();
      return store.unit((db) => claimDueTransactions(db, now, now + LEASE_MS, limit));
    },
    nextDue: () => nextDueTransaction(store.read),
    async work(transaction) {
      const now = clock.now();
      const advancing = { channel, now, usage: () => customerUsage(store.read, transaction) };
      const step =
        transaction.kind === 'payment'
          ? await advancePayment(transaction, advancing)
          : await advancePayout(transaction, advancing);
      try {
        await store.unit((db) => recordChange(db, step, now));
      } catch (error) {
        // The merchant or the customer acted in between; what they did is due by itself.
        if (!(error instanceof Overtaken)) throw error;
      }
      wake();
    },
  };
}
