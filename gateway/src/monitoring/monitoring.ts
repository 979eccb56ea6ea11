/**
 * All metrics of a gateway in Prometheus format. No other module uses the client library. Each gateway has a separate
 * registry, so that several can run in one process.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { moves } from '../../../generated/moves.ts';
import { knownVersion } from '../database/migrate.ts';
import type { Store } from '../database/store.ts';
import type { Methods } from '../domain/methods.ts';
import { isFinal, type Status } from '../domain/transaction.ts';
import type { Metrics } from '../http/metrics.ts';
import { UNAVAILABILITY_REASONS } from '../http/unavailability.ts';
import type { Clock } from '../platform/clock.ts';
import type { Tracer } from '../platform/tracing.ts';
import { gatewayVersion } from '../platform/version.ts';
import type { OpenKind } from '../transactions/open-transactions.ts';
import { addDatabaseMetrics } from './database-metrics.ts';
import { databaseState } from './database-state.ts';
import { countSteps } from './step-metrics.ts';

export interface MonitoringOptions {
  readonly store: Store;
  /** The database's clock. */
  readonly clock: Clock;
  readonly machine: Clock;
  readonly methods: Methods;
  /** Whether to watch wallets. Not with sandbox clocks. */
  readonly watchWallets: boolean;
  /** Maximum number of merchants with a label. */
  readonly merchantsMax: number;
  /** Milliseconds for which the state of the database is cached. */
  readonly cachedMs: number;
  readonly tracer?: Pick<Tracer, 'dropped'> | undefined;
}

/** Memory, CPU and event loop belong to the process. They are observed once, since an observer is never removed. */
let ofProcess: Registry | undefined;

function processRegistry(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

export function createMonitoring(options: MonitoringOptions): Metrics {
  const { store, clock, machine, methods, merchantsMax } = options;
  processRegistry();
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'gateway_build_info',
    help: 'Version of the gateway, and the version of the schema that it needs; always 1.',
    labelNames: ['version', 'schema'],
    registers,
  }).set({ version: gatewayVersion(), schema: String(knownVersion(store)) }, 1);
  new Gauge({
    name: 'gateway_time_seconds',
    help: "Time in seconds since 1970, by clock: the database's, or the machine's, which signatures of webhooks have. They differ only on PostgreSQL.",
    labelNames: ['clock'],
    registers,
    collect() {
      this.set({ clock: 'database' }, clock.now() / 1_000);
      this.set({ clock: 'machine' }, machine.now() / 1_000);
    },
  });
  const ready = new Gauge({
    name: 'gateway_ready',
    help: 'Whether this gateway is ready: 1 or 0, with the status of /health/ready.',
    labelNames: ['status'],
    registers,
  });
  addStoreMetrics(registry, store);
  if (options.tracer) addTraceMetrics(registry, options.tracer);
  addDatabaseMetrics(registry, databaseState({ ...options, open: openKinds() }), () => clock.now());
  return {
    ...httpMetrics(registry),
    ...workMetrics(registry),
    onStep: countSteps(registry, methods, merchantsMax),
    async expose(status) {
      ready.reset();
      ready.set({ status }, status === 'ready' ? 1 : 0);
      return { type: registry.contentType, text: await Registry.merge([processRegistry(), registry]).metrics() };
    },
  };
}

/** The contract's statuses of open transactions. */
function openKinds(): OpenKind[] {
  return (['payment', 'payout'] as const).flatMap((kind) =>
    [...new Set<string>(moves[kind].map(({ from }) => from))]
      .map((status) => ({ kind, status: status as Status }))
      .filter(({ status }) => !isFinal(status)),
  );
}

function addStoreMetrics(registry: Registry, { meter }: Store): void {
  if (!meter) return;
  const registers = [registry];
  const commits = new Histogram({
    name: 'gateway_commit_units',
    help: 'Units of work that were committed together.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 256],
    registers,
  });
  meter.onCommit((units) => commits.observe(units));
  new Gauge({
    name: 'gateway_waiting_units',
    help: 'Units of work of this process that wait for the database.',
    registers,
    collect() {
      this.set(meter.waiting());
    },
  });
  const { connections } = meter;
  if (!connections) return;
  new Gauge({
    name: 'gateway_database_connections',
    help: 'Connections of this process to the database, by state; max is their limit.',
    labelNames: ['state'],
    registers,
    collect() {
      const { open, idle, max } = connections();
      this.set({ state: 'used' }, open - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'max' }, max);
    },
  });
}

function addTraceMetrics(registry: Registry, tracer: Pick<Tracer, 'dropped'>): void {
  new Counter({
    name: 'gateway_spans_dropped_total',
    help: 'Spans of traces that were not sent, by reason: full, if too many waited for the collector, or failed.',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, spans] of Object.entries(tracer.dropped())) this.inc({ reason }, spans);
    },
  });
}

function httpMetrics(registry: Registry): Pick<Metrics, 'requests' | 'unavailable' | 'connectionsRefused'> {
  const registers = [registry];
  return {
    requests: new Histogram({
      name: 'gateway_request_seconds',
      help: 'Seconds until the response to a request, by operation and status.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    }),
    unavailable: createCounter(registry, 'reason', {
      name: 'gateway_unavailable_total',
      help: 'Requests that got 503, by reason.',
      values: UNAVAILABILITY_REASONS,
    }),
    connectionsRefused: createCounter(registry, 'limit', {
      name: 'gateway_connections_refused_total',
      help: 'Connections closed at once, by the setting that limits them.',
      values: ['CONNECTIONS_MAX', 'CONNECTIONS_PER_ADDRESS', 'PIPELINED_MAX'],
    }),
  };
}

interface CounterDefinition {
  readonly name: string;
  readonly help: string;
  readonly values: readonly string[];
}

/** Creates a counter that begins at 0 for each value of its label, since `increase()` doesn't see a series that begins at 1. */
function createCounter<Label extends string>(
  registry: Registry,
  label: Label,
  { values, ...definition }: CounterDefinition,
): Counter<Label> {
  const counter = new Counter({ ...definition, labelNames: [label], registers: [registry] });
  for (const value of values) counter.inc({ [label]: value } as Record<Label, string>, 0);
  return counter;
}

type Work = 'deliveries' | 'eventsDeleted' | 'jobFailures' | 'clockJumps' | 'channelCalls';

function workMetrics(registry: Registry): Pick<Metrics, Work> {
  const registers = [registry];
  return {
    clockJumps: createCounter(registry, 'clock', {
      name: 'gateway_clock_jumps_total',
      help: 'Jumps of a clock by 10 s or more, by clock.',
      values: ['database', 'machine'],
    }),
    deliveries: createCounter(registry, 'outcome', {
      name: 'gateway_webhook_attempts_total',
      help: 'Attempts to deliver a webhook, by outcome. `unsigned` counts webhooks that wait for a secret.',
      values: ['delivered', 'retried', 'given_up', 'stopped', 'unsigned'],
    }),
    eventsDeleted: new Counter({
      name: 'gateway_events_deleted_total',
      help: 'Webhooks deleted after RETENTION_DAYS.',
      registers,
    }),
    jobFailures: new Counter({
      name: 'gateway_job_failures_total',
      help: 'Failures of background work, by its kind.',
      // Prometheus reserves the label `job`.
      labelNames: ['work'],
      registers,
    }),
    channelCalls: new Histogram({
      name: 'gateway_channel_call_seconds',
      help: 'Seconds that calls of channels took, by channel, call and outcome: answered, unavailable, or failed or invalid, with an unknown effect.', // prose-ok: the label's value
      labelNames: ['channel', 'call', 'outcome'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16],
      registers,
    }),
  };
}
