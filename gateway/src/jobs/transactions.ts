/** The work on transactions that are due. */

import type { Step, Transaction } from '../domain/transaction.ts';
import { OVER_LIMIT } from '../domain/usage.ts';
import type { Services } from '../operations/operation.ts';
import { Overtaken, recordChange } from '../store/record.ts';
import { claimDueTransactions, nextDueTransaction } from '../store/transactions.ts';
import { LimitReached } from '../store/usage.ts';
import { advance, decline, handsOver } from './advance.ts';
import type { Job } from './worker.ts';

type Moving = Pick<Services, 'store' | 'clock' | 'channel'>;

/** A claim ends by itself after this long, so that the work of a process that died is taken over. Calls of
 * channels end before it does, so that nothing is claimed twice while it is under way. */
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
      // When the merchant or the customer acted in between, what they did is due by itself.
      await moveOn({ store, clock, channel }, transaction);
      wake();
    },
  };
}

/** Moves a due transaction one step on. Returns false when another writer was faster; nothing has changed then. */
export async function moveOn(services: Moving, transaction: Transaction): Promise<boolean> {
  const { clock, channel } = services;
  try {
    const step = await recorded(services, transaction, await advance(transaction, channel, clock.now()));
    if (handsOver(transaction, step)) {
      await recorded(services, step.transaction, await advance(step.transaction, channel, clock.now(), true));
    }
    return true;
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    return false;
  }
}

/** Writes the step, or the decline that takes its place when the customer's limit is reached. */
async function recorded({ store, clock }: Moving, transaction: Transaction, step: Step): Promise<Step> {
  const now = clock.now();
  const record = async (next: Step) => {
    await store.unit((db) => recordChange(db, next, now));
    return next;
  };
  return record(step).catch((error: unknown) => {
    if (!(error instanceof LimitReached)) throw error;
    return record(decline(transaction, OVER_LIMIT, now));
  });
}
