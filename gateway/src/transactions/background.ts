/** The background work of a process: due transactions, webhooks, retention. A process without HTTP does it too. */
import { inBackground, StoreUnavailable } from '../database/store.ts';
import { summarizeError } from '../platform/log.ts';
import { SearchStart } from '../platform/search-start.ts';
import { type SpanStart, withSpan } from '../platform/tracing.ts';
import { type Job, startWorker } from '../platform/worker.ts';
import { type Deliveries, type DeliveryOptions, startDeliveries } from '../webhooks/delivery-job.ts';
import { advanceTransaction, makeOpeningCall } from './advance.ts';
import { recordFailure } from './failures.ts';
import { type RetentionOptions, startRetention } from './retention.ts';
import { type ClaimedTransaction, claimDueTransactions, nextDueTransaction } from './rows.ts';
import { CLAIM_MS, type Services, TRANSACTION_JOB, type Workers } from './services.ts';
import { timestamp } from './view.ts';

interface BackgroundOptions {
  readonly deliveries: DeliveryOptions;
  readonly retention: RetentionOptions;
}

export interface BackgroundWork extends Workers {
  readonly deliveries: Deliveries;
  /** Claims due work now. */
  wake(): void;
  /** Resolves when no work is due. For tests. */
  idle(): Promise<void>;
  /** Resolves when the work in progress has ended. */
  stop(): Promise<void>;
}

/** Starts the background work. Its failures are reported to the services. */
export function startBackgroundWork(services: Services, options: BackgroundOptions): BackgroundWork {
  const { clock, report } = services;
  const background = { ...services, store: inBackground(services.store) };
  const deliveries = startDeliveries(background, options.deliveries, (error, about) =>
    report(error, { job: 'webhooks', ...about }),
  );
  const start = new SearchStart();
  const transactions = startWorker(transactionJob(background, start), clock, report);
  const workers = [transactions, deliveries, startRetention(background, options.retention, report)];
  return {
    deliveries,
    reserveTransaction: () => transactions.reserve(),
    reserveDelivery: (merchantId, url) => deliveries.reserve(merchantId, url),
    expectTransaction(time) {
      start.announce(time);
      transactions.expect(time);
    },
    expectDelivery: () => deliveries.wakeForNew(),
    wake() {
      start.announce(0);
      for (const worker of workers) worker.wake();
    },
    async idle() {
      for (const worker of workers) await worker.idle();
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

/** Background workers that start later than their producers. Until then they have no capacity. */
export function deferWorkers(work: () => BackgroundWork | undefined): Workers {
  return {
    reserveTransaction: () => work()?.reserveTransaction(),
    reserveDelivery: (merchantId, url) => work()?.reserveDelivery(merchantId, url),
    expectTransaction: (time) => work()?.expectTransaction(time),
    expectDelivery: () => work()?.expectDelivery(),
  };
}

/** Claims due transactions and moves each one step on. */
function transactionJob(services: Services, start: SearchStart): Job<ClaimedTransaction> {
  const { store, clock } = services;
  return {
    name: TRANSACTION_JOB,
    concurrency: 256,
    pollMs: 500,
    async claim(limit) {
      const claimed = await store.unit((db) => {
        const now = clock.now();
        return claimDueTransactions(db, { now, claimedUntil: now + CLAIM_MS, limit, from: start.from });
      });
      // A merchant's clock that passes many due times at once makes all of them due at the same time of the store.
      return claimed.length < 2 ? claimed : claimed.sort((a, b) => readDueTime(a) - readDueTime(b));
    },
    async findDue() {
      const now = clock.now();
      const due = await nextDueTransaction(store.read, start.begin(now));
      start.end(due, now);
      return due;
    },
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
