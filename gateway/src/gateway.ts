/** The parts put together: store, workers and server. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Channel } from './channel/channel.ts';
import { simulator } from './channel/simulator.ts';
import { type Clock, systemClock } from './clock.ts';
import { readContract } from './contract/contract.ts';
import { createServer, type Limits } from './http/server.ts';
import type { Services } from './operations/operation.ts';
import { migrate } from './store/migrate.ts';
import type { Store } from './store/store.ts';
import { transactionJob } from './work/transactions.ts';
import { startWorker, type Worker } from './work/worker.ts';

export interface GatewayOptions {
  readonly store: Store;
  readonly publicUrl: () => string;
  readonly limits?: Partial<Limits>;
  readonly logger?: FastifyBaseLogger | false;
  readonly clock?: Clock;
  readonly channel?: Channel;
  readonly checkResponses?: boolean;
}

export interface Gateway {
  readonly app: FastifyInstance;
  readonly store: Store;
  /** Resolves when no transaction and no delivery is due. For tests. */
  idle(): Promise<void>;
  /** Stops accepting, finishes what is under way, and closes the store. */
  close(): Promise<void>;
}

const LIMITS: Limits = {
  bodyBytesMax: 65_536,
  requestsPerSecond: 1_000,
  connectionsMax: 10_000,
  headerTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
};

/** Migrates the store and starts the workers; the server is ready to listen. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { store, clock = systemClock, channel = simulator, logger = false } = options;
  await migrate(store);
  const workers: Worker[] = [];
  const services: Services = {
    store,
    clock,
    channel,
    checkoutUrl: (token) => `${options.publicUrl()}/checkout/${token}`,
    wake: () => {
      for (const worker of workers) worker.wake();
    },
  };
  const app = await createServer({
    contract: readContract(),
    services,
    logger,
    limits: { ...LIMITS, ...options.limits },
    checkResponses: options.checkResponses ?? false,
  });
  const report = (error: unknown) => app.log.error(error);
  workers.push(startWorker(transactionJob(services), clock, report));
  return {
    app,
    store,
    async idle() {
      for (const worker of workers) await worker.idle();
    },
    async close() {
      await app.close();
      await Promise.all(workers.map((worker) => worker.stop()));
      await store.close();
    },
  };
}
