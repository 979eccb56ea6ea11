/** The background work of a process: due transactions, webhooks, retention. A process without HTTP does it too. */

import { inBackground } from '../database/store.ts';
import { startWorker } from '../platform/worker.ts';
import { type Deliveries, type DeliveryOptions, startDeliveries } from '../webhooks/delivery-job.ts';
import { type RetentionOptions, startRetention } from './retention.ts';
import type { Services } from './services.ts';
import { transactionJob } from './transaction-job.ts';
import type { Workers } from './workers.ts';

export interface BackgroundOptions {
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
  const transactions = startWorker(transactionJob(background), clock, report);
  const workers = [transactions, deliveries, startRetention(background, options.retention, report)];
  return {
    deliveries,
    reserveTransaction: () => transactions.reserve(),
    reserveDelivery: (merchantId, url) => deliveries.reserve(merchantId, url),
    expectTransaction: (time) => transactions.expect(time),
    expectDelivery: () => deliveries.wake(),
    wake() {
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
export function laterWorkers(work: () => BackgroundWork | undefined): Workers {
  return {
    reserveTransaction: () => work()?.reserveTransaction(),
    reserveDelivery: (merchantId, url) => work()?.reserveDelivery(merchantId, url),
    expectTransaction: (time) => work()?.expectTransaction(time),
    expectDelivery: () => work()?.expectDelivery(),
  };
}
