/** Processes due transactions. */

import { StoreUnavailable } from '../database/store.ts';
import { summarizeError } from '../platform/error-summary.ts';
import { type SpanStart, withSpan } from '../platform/tracing.ts';
import type { Job } from '../platform/worker.ts';
import { advanceTransaction, makeOpeningCall } from './advance.ts';
import { recordFailure } from './failures.ts';
import { type ClaimedTransaction, claimDueTransactions, nextDueTransaction } from './rows.ts';
import type { Services } from './services.ts';
import { timestamp } from './view.ts';
import { CLAIM_MS, TRANSACTION_JOB } from './workers.ts';

/** Claims due transactions and moves each one step on. */
export function transactionJob(services: Services): Job<ClaimedTransaction> {
  const { store, clock } = services;
  return {
    name: TRANSACTION_JOB,
    concurrency: 256,
    pollMs: 500,
    async claim(limit) {
      const claimed = await store.unit((db) => {
        const now = clock.now();
        return claimDueTransactions(db, now, now + CLAIM_MS, limit);
      });
      // A merchant's clock that passes many due times at once makes all of them due at the same time of the store.
      return claimed.length < 2 ? claimed : claimed.sort((a, b) => readDueTime(a) - readDueTime(b));
    },
    nextDue: () => nextDueTransaction(store.read),
    async work(claimed) {
      const { claimedUntil, isCall } = claimed;
      const transaction = claimed.read();
      await withSpan(
        services.tracer,
        () => describeSpan(transaction),
        () => (isCall ? makeOpeningCall : advanceTransaction)(services, transaction, claimedUntil),
      );
    },
    describe: ({ id }) => ({ transaction_id: id }),
    async recordFailure(claimed, error) {
      // Not the transaction's fault: it continues when the database is back.
      if (error instanceof StoreUnavailable) return undefined;
      const failure = { error: summarizeError(error), now: clock.now() };
      const recorded = await store.unit((db) => recordFailure(db, claimed, failure));
      return recorded && { failures: recorded.failures, next_attempt_at: timestamp(recorded.nextAttemptAt) };
    },
  };
}

/** Continues the trace that created the transaction, even in another process. */
function describeSpan({ kind, id, merchantId, trace }: ReturnType<ClaimedTransaction['read']>): SpanStart {
  return {
    name: `advance ${kind}`,
    kind: 'consumer',
    parent: trace,
    attributes: { 'payments.transaction.id': id, 'payments.merchant.id': merchantId },
  };
}

/** The due time in the merchant's clock. An unreadable row fails later. */
function readDueTime(claimed: ClaimedTransaction): number {
  try {
    return claimed.read().dueAt ?? 0;
  } catch {
    return 0;
  }
}
