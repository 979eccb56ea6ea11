/** The work on transactions that are due. */

import { CALL_MS_MAX } from '../channel/time-limit.ts';
import { timestamp } from '../contract/view.ts';
import { JOB, moveOn } from '../operations/carry-out.ts';
import type { Services } from '../operations/operation.ts';
import { summarizeError } from '../platform/error-summary.ts';
import { recordFailure } from '../store/failures.ts';
import { StoreUnavailable } from '../store/store.ts';
import { type ClaimedTransaction, claimDueTransactions, nextDueTransaction } from '../store/transactions.ts';
import type { Job } from './worker.ts';

/**
 * A claim ends by itself after this long, so that the work of a process that died is taken over. A channel's call ends
 * at its half, so that there is time to record the answer. A process that is later all the same, since it was paused,
 * finds that the claim has passed to another and writes nothing.
 */
const LEASE_MS = 2 * CALL_MS_MAX;

/** Claims due transactions and moves each one step on. */
export function transactionJob(services: Services): Job<ClaimedTransaction> {
  const { store, clock, wake } = services;
  return {
    name: JOB,
    concurrency: 256,
    pollMs: 500,
    claim(limit) {
      return store.unit((db) => {
        const now = clock.now();
        return claimDueTransactions(db, now, now + LEASE_MS, limit);
      });
    },
    nextDue: () => nextDueTransaction(store.read),
    async work(claimed) {
      // When the merchant or the customer acted in between, what they did is due by itself.
      await moveOn(services, claimed.read(), claimed.claimedUntil);
      wake();
    },
    describe: ({ id }) => ({ transaction_id: id }),
    async recordFailure(claimed, error) {
      // It says nothing about the transaction, which shall go on at once when the database is back.
      if (error instanceof StoreUnavailable) return undefined;
      const failure = { error: summarizeError(error), now: clock.now() };
      const recorded = await store.unit((db) => recordFailure(db, claimed, failure));
      return recorded && { failures: recorded.failures, next_attempt_at: timestamp(recorded.nextAttemptAt) };
    },
  };
}
