/**
 * The tracing interface. Spans are passed explicitly with the services, and across systems and the database as a W3C
 * `traceparent`. Without a tracer there are no spans, and OpenTelemetry isn't loaded.
 */

export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

/** Ids, names and numbers. Never keys, bodies or data of customers. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** The members of a log line that find its span. */
export interface TraceFields {
  readonly trace_id: string;
  readonly span_id: string;
}

export interface Span {
  /** The `traceparent` for downstream work. */
  readonly traceparent: string;
  /** The same for others, such as channels and endpoints; undefined if they get none. */
  readonly passedOn: string | undefined;
  readonly fields: TraceFields;
  set(attributes: Attributes): void;
  /** Ends it; as failed if the kind of the error is given. */
  end(errorType?: string): void;
}

export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  /** The `traceparent` that it continues. Without one, it begins a trace. */
  readonly parent?: string | undefined;
  /** The `traceparent` of a related span, which is linked if it belongs to another trace. */
  readonly link?: string | undefined;
  readonly attributes?: Attributes;
}

export interface Tracer {
  start(span: SpanStart): Span;
  /** The `traceparent` of a request, if it is valid and the tracer takes any. */
  received(traceparent: string | undefined): string | undefined;
  /** The number of spans that could not be sent, by the reason. */
  dropped(): Readonly<Record<string, number>>;
}

/** The services that start spans. */
export interface Traced {
  readonly tracer?: Tracer | undefined;
  /** The span of the work for which they are used. */
  readonly span?: Span | undefined;
}

/** The services for work in a span. */
export function inSpan<S extends Traced>(services: S, span: Span | undefined): S {
  return span ? { ...services, span } : services;
}

/** Runs work in a child span of the services' span, unless another parent is given. */
export function withSpan<S extends Traced, T>(
  services: S,
  start: () => SpanStart,
  work: (services: S) => Promise<T>,
): Promise<T> {
  const { tracer } = services;
  return tracer ? workInSpan(services, tracer, start(), work) : work(services);
}

async function workInSpan<S extends Traced, T>(
  services: S,
  tracer: Tracer,
  start: SpanStart,
  work: (services: S) => Promise<T>,
): Promise<T> {
  const span = tracer.start({ parent: services.span?.traceparent, ...start });
  try {
    const result = await work({ ...services, span });
    span.end();
    return result;
  } catch (error) {
    span.end(errorType(error));
    throw error;
  }
}

/** The kind of an error, in few words: a message could contain anything. */
export function errorType(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
