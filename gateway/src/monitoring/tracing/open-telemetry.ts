/**
 * The OpenTelemetry tracer, loaded only if traces are enabled. It registers no globals, so that a program with an
 * embedded gateway can use its own OpenTelemetry.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  type Context,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { clearTimeout, setTimeout } from '../../platform/timers.ts';
import type { Attributes, Span, SpanStart, Tracer } from '../../platform/tracing.ts';
import { gatewayVersion } from '../../platform/version.ts';
import { BoundedExport, type BoundedExportOptions } from './bounded-export.ts';
import type { SamplerName, TracingSettings } from './tracing-settings.ts';

export interface OpenTracer extends Tracer {
  /** Sends the queued spans within this many milliseconds. Resolves to false if some remain. */
  end(withinMs: number): Promise<boolean>;
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/** Creates the tracer. Its exporter reads the variables for its destination and protocol. */
export function openTelemetry(settings: TracingSettings, options: BoundedExportOptions): OpenTracer {
  const spans = new BoundedExport(new OTLPTraceExporter(), options);
  const own = resourceFromAttributes({
    'service.name': 'payments-gateway',
    'service.version': gatewayVersion(),
    'service.instance.id': randomUUID(),
  });
  const provider = new TracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    sampler: createSampler(settings),
    spanProcessors: [spans],
  });
  const { propagates } = settings;
  const tracer = provider.getTracer('payments-gateway', gatewayVersion());
  const active = new AsyncLocalStorage<Span>();
  return {
    start({ name, kind, parent, link, attributes }) {
      const context = createContext(parent);
      const links = createLinks(link, trace.getSpanContext(context));
      const started = { kind: KINDS[kind], ...(attributes && { attributes }), ...(links && { links }) };
      return wrapSpan(tracer.startSpan(name, started, context), propagates);
    },
    run: (span, work) => active.run(span, work),
    active: () => active.getStore(),
    received: (given) => (propagates && given !== undefined && parseTraceParent(given) ? given : undefined),
    dropped: () => spans.dropped(),
    async end(withinMs) {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, withinMs);
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, late.promise]);
      clearTimeout(timer);
      return spans.waiting === 0;
    },
  };
}

function wrapSpan(span: ReturnType<ReturnType<TracerProvider['getTracer']>['startSpan']>, propagates: boolean): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  return {
    traceparent,
    passedOn: propagates ? traceparent : undefined,
    fields: { trace_id: traceId, span_id: spanId },
    set: (attributes: Attributes) => void span.setAttributes(attributes),
    end(errorType) {
      if (errorType !== undefined) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute('error.type', errorType);
      }
      span.end();
    },
  };
}

function createContext(parent: SpanStart['parent']): Context {
  const remote = parent === undefined ? null : parseTraceParent(parent);
  return remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : ROOT_CONTEXT;
}

/** The link to a span of another trace. */
function createLinks(link: SpanStart['link'], parent: SpanContext | undefined): Link[] | undefined {
  const context = link === undefined ? null : parseTraceParent(link);
  return context && context.traceId !== parent?.traceId ? [{ context }] : undefined;
}

function createSampler({ sampler, ratio }: TracingSettings): Sampler {
  const roots: Readonly<Record<SamplerName, () => Sampler>> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
    parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
    parentbased_traceidratio: () => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
  };
  return roots[sampler]();
}
