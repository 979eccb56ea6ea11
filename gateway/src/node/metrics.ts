/** The gateway's metrics, for Prometheus. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Metrics } from '../http/metrics.ts';
import { FAILING_FROM } from '../store/books/failures.ts';
import { DUE_KINDS, type DueKind } from '../store/books/lag.ts';

/** Memory, CPU and event loop are the process's. They are observed once, since an observer is never removed. */
let ofProcess: Registry | undefined;

function processRegistry(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** Queries of the database, once for each scrape. */
export interface MetricSources {
  /** Transactions that keep failing. */
  failing(): Promise<number>;
  /** Milliseconds since the oldest work of each kind was due. */
  oldestDueMs(): Promise<Readonly<Record<DueKind, number>>>;
}

/** A registry of its own for each gateway, so that several can live in one process. */
export function createMetrics(sources: MetricSources): Metrics {
  processRegistry();
  const registry = new Registry();
  new Gauge({
    name: 'gateway_failing_transactions',
    help: `Transactions whose next step has failed ${FAILING_FROM} times in a row or more, in the whole database.`,
    registers: [registry],
    async collect() {
      // No sample is better than a wrong one while the database cannot be reached.
      await sources.failing().then(
        (count) => this.set(count),
        () => this.remove(),
      );
    },
  });
  new Gauge({
    name: 'gateway_oldest_due_seconds',
    help: 'Seconds since the oldest work in the whole database was due that no process has claimed, by kind; 0 if none is due.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      await sources.oldestDueMs().then(
        (ages) => DUE_KINDS.forEach((kind) => void this.set({ kind }, ages[kind] / 1_000)),
        () => this.reset(),
      );
    },
  });
  return {
    async expose() {
      const all = Registry.merge([processRegistry(), registry]);
      return { type: registry.contentType, text: await all.metrics() };
    },
    requests: new Histogram({
      name: 'gateway_request_seconds',
      help: 'Seconds until the response to a request, by operation and status.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [registry],
    }),
    unavailable: new Counter({
      name: 'gateway_unavailable_total',
      help: 'Requests that got 503, by reason, such as disk_full, disk_failed, damaged, unreachable, overloaded or closed.', // prose-ok: the label's values
      labelNames: ['reason'],
      registers: [registry],
    }),
    connectionsRefused: new Counter({
      name: 'gateway_connections_refused_total',
      help: 'Connections closed at once, by the setting that limits them.',
      labelNames: ['limit'],
      registers: [registry],
    }),
    deliveries: new Counter({
      name: 'gateway_webhook_attempts_total',
      help: 'Attempts to deliver a webhook, by outcome. Not counted as one by the webhook: `unsigned`, while it waits for a secret.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    eventsDeleted: new Counter({
      name: 'gateway_events_deleted_total',
      help: 'Webhooks deleted since they were older than RETENTION_DAYS, without those of dropped partitions.',
      registers: [registry],
    }),
    jobFailures: new Counter({
      name: 'gateway_job_failures_total',
      help: 'Failures of background work, by job.',
      labelNames: ['job'],
      registers: [registry],
    }),
    channelCalls: new Counter({
      name: 'gateway_channel_calls_total',
      help: 'Calls of channels, by channel, call and outcome: answered, unavailable, or failed, with an unknown effect.', // prose-ok: the label's value
      labelNames: ['channel', 'call', 'outcome'],
      registers: [registry],
    }),
  };
}
