/** The metrics interface. Counters and histograms are prom-client's or no-ops. */
import type { Step } from '../domain/transaction.ts';

export interface Counter<Label extends string = never> {
  inc(labels: Readonly<Record<Label, string>>, value?: number): void;
}

interface Timer {
  /** In seconds. */
  observe(value: number): void;
}

export interface Histogram<Label extends string> {
  labels(labels: Readonly<Record<Label, string>>): Timer;
}

export interface Metrics {
  /** Seconds by operation and status. */
  readonly requests: Histogram<'operation' | 'status'>;
  /** Requests with a 503, by reason. */
  readonly unavailable: Counter<'reason'>;
  /** Connections closed immediately, by the exceeded limit. */
  readonly connectionsRefused: Counter<'limit'>;
  /** Webhook attempts by outcome. */
  readonly deliveries: Counter<'outcome'>;
  /** Webhooks deleted by retention. */
  readonly eventsDeleted: Counter;
  /** Failures of background work, by its kind. */
  readonly jobFailures: Counter<'work'>;
  /** Jumps of the machine's clock and the database's. */
  readonly clockJumps: Counter<'clock'>;
  /** Seconds per channel call, by outcome. */
  readonly channelCalls: Histogram<'channel' | 'call' | 'outcome'>;
  readonly onStep: (step: Step) => void;
  /** All metrics as text, for `/metrics`, with the status of `/health/ready`. Without it, the route doesn't exist. */
  readonly expose?: ((readiness: string) => Promise<Exposition>) | undefined;
}

export interface Exposition {
  readonly type: string;
  readonly text: string;
}

const counter: Counter<never> = { inc: () => undefined };
const timer: Timer = { observe: () => undefined };

export const NO_METRICS: Metrics = {
  requests: { labels: () => timer },
  unavailable: counter,
  connectionsRefused: counter,
  deliveries: counter,
  eventsDeleted: counter,
  jobFailures: counter,
  clockJumps: counter,
  channelCalls: { labels: () => timer },
  onStep: () => undefined,
};
