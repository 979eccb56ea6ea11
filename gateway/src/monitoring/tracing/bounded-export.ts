/**
 * A bounded queue in front of the exporter. If the collector is slow or missing, spans are dropped, counted and logged
 * occasionally, without affecting requests.
 */
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type Span,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import type { Log } from '../../platform/log.ts';
import type { Timers } from '../../platform/timers.ts';

/** Queued spans, including those being sent. Each takes about 2 kB. */
const WAITING_MAX = 4_096;
const BATCH_MAX = 512;
const LOGGED_EVERY_MS = 60_000;
const REASON_CHARS_MAX = 200;

/** `full`: the queue is full. `failed`: the export failed. */
type Reason = 'full' | 'failed';

export interface BoundedExportOptions {
  readonly log: Pick<Log, 'warn'>;
  readonly timers: Pick<Timers, 'elapsed'>;
  /** Milliseconds from a span to its export. */
  readonly delayMs?: number | undefined;
  readonly waitingMax?: number | undefined;
}

export class BoundedExport implements SpanProcessor {
  readonly #batches: SpanProcessor;
  readonly #waitingMax: number;
  readonly #log: Pick<Log, 'warn'>;
  readonly #timers: Pick<Timers, 'elapsed'>;
  readonly #dropped: Record<Reason, number> = { full: 0, failed: 0 };
  #waiting = 0;
  #droppedSinceLine = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(exporter: SpanExporter, { log, timers, delayMs, waitingMax = WAITING_MAX }: BoundedExportOptions) {
    this.#log = log;
    this.#timers = timers;
    this.#waitingMax = waitingMax;
    this.#batches = new BatchSpanProcessor({
      exporter: this.#watched(exporter),
      maxQueueSize: waitingMax,
      maxExportBatchSize: Math.min(BATCH_MAX, waitingMax),
      ...(delayMs !== undefined && { scheduledDelayMillis: delayMs }),
    });
  }

  dropped(): Readonly<Record<Reason, number>> {
    return { ...this.#dropped };
  }

  /** The number of queued spans, including those being sent. */
  get waiting(): number {
    return this.#waiting;
  }

  onStart(span: Span, context: Parameters<SpanProcessor['onStart']>[1]): void {
    this.#batches.onStart(span, context);
  }

  onEnd(span: ReadableSpan): void {
    if (this.#waiting >= this.#waitingMax) {
      this.#drop(1, 'full', 'the collector is too slow');
    } else {
      this.#waiting += 1;
      this.#batches.onEnd(span);
    }
  }

  forceFlush(): Promise<void> {
    return this.#batches.forceFlush();
  }

  async shutdown(): Promise<void> {
    await this.#batches.shutdown();
    if (this.#droppedSinceLine > 0) this.#logDropped('see the lines before');
  }

  #watched(exporter: SpanExporter): SpanExporter {
    const ended = (spans: readonly ReadableSpan[], { code, error }: ExportResult) => {
      this.#waiting -= spans.length;
      if (code !== ExportResultCode.SUCCESS) this.#drop(spans.length, 'failed', describe(error));
    };
    return {
      export(spans, done) {
        exporter.export(spans, (result) => {
          ended(spans, result);
          done(result);
        });
      },
      shutdown: () => exporter.shutdown(),
    };
  }

  #drop(spans: number, reason: Reason, why: string): void {
    this.#dropped[reason] += spans;
    this.#droppedSinceLine += spans;
    if (this.#timers.elapsed() - this.#loggedAt >= LOGGED_EVERY_MS) this.#logDropped(why);
  }

  #logDropped(why: string): void {
    this.#log.warn({ spans: this.#droppedSinceLine, reason: why }, 'traces dropped');
    this.#loggedAt = this.#timers.elapsed();
    this.#droppedSinceLine = 0;
  }
}

/** A connection error for several addresses has a code, but no message. */
function describe(error: (Error & { readonly code?: unknown }) | undefined): string {
  return (error?.message || String(error?.code ?? 'unknown')).slice(0, REASON_CHARS_MAX);
}
