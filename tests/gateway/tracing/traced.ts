/** A gateway with traces, and the collector that gets them. */
import { vi } from 'vitest';
import { startTracing, type TracingOptions } from '../../../gateway/src/monitoring/tracing/start-tracing.ts';
import { type CollectedSpan, type Collector, startCollector } from '../../tools/collector.ts';
import { afterwards } from '../harness.ts';

/** Starts a collector, to which all tracers of the test send. */
export async function collect(status?: number): Promise<Collector> {
  const collector = await startCollector(status);
  afterwards(async () => {
    vi.unstubAllEnvs();
    await collector.close();
  });
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  return collector;
}

/** A tracer as the environment says. */
export async function startTracer(options: TracingOptions = {}) {
  const tracer = await startTracing(options);
  if (!tracer) throw new Error('traces are off');
  afterwards(() => tracer.end(0));
  return tracer;
}

/** The names of a span and its ancestors, up to the first uncollected one. */
export function listAncestors(spans: readonly CollectedSpan[], span: CollectedSpan): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [span.name, ...(parent ? listAncestors(spans, parent) : [])];
}
