/** The work on transactions that are due. */

import { timestamp } from '../contract/view.ts';
import { JOB, moveOn } from '../operations/carry-out.ts';
import type { Services } from '../operations/operation.ts';
import { CLAIM_MS } from '../operations/workers.ts';
import { summarizeError } from '../platform/error-summary.ts';
import { recordFailure } from '../store/failures.ts';
import { StoreUnavailable } from '../store/store.ts';
import { type ClaimedTransaction, claimDueTransactions, nextDueTransaction } from '../store/transactions.ts';
import type { Job } from './worker.ts';

/** Claims due transactions and moves each one step on. */
export function transactionJob(services: Services): Job<ClaimedTransaction> {
  const { store, clock } = services;
  return {
    name: JOB,
    concurrency: 256,
    pollMs: 500,
    claim(limit) {
      return store.unit((db) => {
        const now = clock.now();
        return claimDueTransactions(db, now, now + CLAIM_MS, limit);
      });
    },
    nextDue: () => nextDueTransaction(store.read),
    async work(claimed) {
      await moveOn(services, claimed.read(), claimed.claimedUntil);
    },
    describe: ({ id }) => ({ transaction_id: id }),
    async recordFailure(claimed, error) {
      // It says nothing about the transaction, which continues at once when the database is back.
      if (error instanceof StoreUnavailable) return undefined;
      const failure = { error: summarizeError(error), now: clock.now() };
      const recorded = await store.unit((db) => recordFailure(db, claimed, failure));
      return recorded && { failures: recorded.failures, next_attempt_at: timestamp(recorded.nextAttemptAt) };
    },
  };
}
