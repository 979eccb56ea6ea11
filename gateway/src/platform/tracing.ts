/**
 * The tracing interface. The tracer knows the active span of each asynchronous call. Spans cross systems and the database
 * as a W3C `traceparent`. Without a tracer there are no spans, and OpenTelemetry isn't loaded.
 */

export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

/** Ids, names and numbers. Never keys, bodies or customer data. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** The members of a log line that identify its span. */
export interface TraceFields {
  readonly trace_id: string;
  readonly span_id: string;
}

export interface Span {
  /** The `traceparent` for downstream work. */
  readonly traceparent: string;
  /** The same for others, such as channels and endpoints, unless propagation is disabled. */
  readonly passedOn: string | undefined;
  readonly fields: TraceFields;
  set(attributes: Attributes): void;
  /** Ends the span, as failed if the kind of an error is given. */
  end(errorType?: string): void;
}

export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  /** The `traceparent` of its parent. Without one, it starts a trace. */
  readonly parent?: string | undefined;
  /** The `traceparent` of a related span, which is linked if it belongs to another trace. */
  readonly link?: string | undefined;
  readonly attributes?: Attributes;
}

export interface Tracer {
  start(span: SpanStart): Span;
  /** Runs work with this active span. */
  run<T>(span: Span, work: () => T): T;
  /** The span of the work in progress. */
  active(): Span | undefined;
  /** The `traceparent` of a request, if it is valid and the tracer accepts it. */
  received(traceparent: string | undefined): string | undefined;
  /** The number of dropped spans by reason. */
  dropped(): Readonly<Record<string, number>>;
}

/** Runs work in a child of the active span, unless `start` names another parent. Without a tracer, there is no span. */
export function withSpan<T>(
  tracer: Tracer | undefined,
  start: () => SpanStart,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  return tracer ? workInSpan(tracer, start(), work) : work(undefined);
}

async function workInSpan<T>(tracer: Tracer, start: SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
  const span = tracer.start({ parent: tracer.active()?.traceparent, ...start });
  try {
    const result = await tracer.run(span, () => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(errorType(error));
    throw error;
  }
}

/** The kind of an error, in a few words, since a message could contain anything. */
export function errorType(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
