/** What people who run the gateway look at: health, metrics, and a log line for each request. */
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Log } from '../platform/log.ts';
import { FAILING_FROM } from '../store/failures.ts';
import type { Store } from '../store/store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the contract's operation; `other` beside the API. */
    operation: string;
    /** By performance.now; 0 for what was refused before any hook. */
    beganAt: number;
  }
}

export interface Metrics {
  readonly registry: Registry;
  /** Seconds by operation and status. */
  readonly requests: Histogram<'operation' | 'status'>;
  /** Webhook attempts by outcome. */
  readonly deliveries: Counter<'outcome'>;
  /** Webhooks that retention has deleted. */
  readonly eventsDeleted: Counter;
  /** Failures of background work, by job. */
  readonly jobFailures: Counter<'job'>;
}

/** A registry of its own for each gateway, so that several can live in one process. */
export function createMetrics(countFailing: () => Promise<number>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'gateway_failing_transactions',
    help: `Transactions whose next step has failed ${FAILING_FROM} times in a row or more, in the whole database.`,
    registers: [registry],
    async collect() {
      // No sample is better than a wrong one while the database cannot be reached.
      await countFailing().then(
        (count) => this.set(count),
        () => this.remove(),
      );
    },
  });
  return {
    registry,
    requests: new Histogram({
      name: 'gateway_request_seconds',
      help: 'Time to answer a request, by operation and status.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [registry],
    }),
    deliveries: new Counter({
      name: 'gateway_webhook_attempts_total',
      help: 'Attempts to deliver a webhook, by outcome.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    eventsDeleted: new Counter({
      name: 'gateway_events_deleted_total',
      help: 'Webhooks deleted since they were older than RETENTION_DAYS.',
      registers: [registry],
    }),
    jobFailures: new Counter({
      name: 'gateway_job_failures_total',
      help: 'Failures of background work, by job.',
      labelNames: ['job'],
      registers: [registry],
    }),
  };
}

/** Adds `/health/live`, `/health/ready` and `/metrics`, and observes every request until its answer leaves. */
export function addOperational(app: FastifyInstance, store: Store, metrics: Metrics, log: Log): void {
  app.decorateRequest('operation', 'other');
  app.decorateRequest('beganAt', 0);
  app.addHook('onRequest', (request, _reply, done) => {
    request.beganAt = performance.now();
    done();
  });
  // Not onResponse, for which Fastify listens to the end of each answer: that costs as much as the rest of a hook.
  app.addHook('onSend', (request, { statusCode: status }, _payload, done) => {
    const { id, operation, merchant, beganAt } = request;
    const ms = beganAt === 0 ? 0 : performance.now() - beganAt;
    metrics.requests.observe({ operation, status: String(status) }, ms / 1_000);
    // Neither bodies nor headers: they hold personal data and keys.
    log.info(
      { request_id: id, merchant_id: merchant?.id, operation, status, ms: Math.round(ms * 10) / 10 },
      'answered',
    );
    done();
  });
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (_request, reply) => {
    const ready = await store.read.get('select 1 as one').then(
      () => true,
      () => false,
    );
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'database unreachable' });
  });
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
}
