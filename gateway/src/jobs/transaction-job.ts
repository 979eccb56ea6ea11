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
 * A claim expires after this long, so that another process takes over the work of one that died. A channel's call times
 * out at half of it, so that there is time to record the result. A process that was paused for longer finds that
 * another has the claim, and writes nothing.
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
      // When the merchant or the customer acted in between, their change is due too.
      await moveOn(services, claimed.read(), claimed.claimedUntil);
      wake();
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
