/** A gateway with traces, and their collector. */
import { vi } from 'vitest';
import { startTracing, type TracingOptions } from '../../../gateway/src/monitoring/tracing/start-tracing.ts';
import { type CollectedSpan, type Collector, startCollector } from '../../tools/collector.ts';
import { afterwards } from '../harness.ts';

/** Starts the collector of all the test's tracers. */
export async function collect(status?: number): Promise<Collector> {
  const collector = await startCollector(status);
  afterwards(async () => {
    vi.unstubAllEnvs();
    await collector.close();
  });
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  return collector;
}

/** A tracer configured by the environment. */
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
