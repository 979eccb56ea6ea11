/** A trace collector: receives spans in OTLP over HTTP, as protobuf, and stores them. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { listenOnLoopback } from './loopback.ts';

/** A received span. Ids are hexadecimal. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** As in `opentelemetry/proto/trace/v1/trace.proto`: 1 internal, 2 server, 3 client, 5 consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Traces of its linked spans. */
  readonly links: readonly string[];
  readonly failed: boolean;
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, string | number>>;
}

export interface Collector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: CollectedSpan[];
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** Resolves when a span matches. */
  next(fits: (span: CollectedSpan) => boolean): Promise<CollectedSpan>;
  close(): Promise<void>;
}

/** Starts a collector that responds with a status. */
export async function startCollector(status = 200): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const requests: Collector['requests'] = [];
  const waiting: { fits: (span: CollectedSpan) => boolean; resolve: (span: CollectedSpan) => void }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url: path = '', headers } = request;
    requests.push({ path, headers });
    const body = Buffer.concat(chunks);
    const received = readSpans(headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
    if (status === 200) spans.push(...received);
    response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end();
    for (const { fits, resolve } of waiting) for (const span of received) if (fits(span)) resolve(span);
  });
  const { url, close } = await listenOnLoopback(server);
  const next = (fits: (span: CollectedSpan) => boolean) => {
    const known = spans.find(fits);
    return known ? Promise.resolve(known) : new Promise<CollectedSpan>((resolve) => waiting.push({ fits, resolve }));
  };
  return { url, spans, requests, next, close };
}

/** The values of a message by their field numbers. */
type Message = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

/** Parses protobuf's wire format. */
function readMessage(bytes: Buffer): Message {
  const fields = new Map<number, (Buffer | bigint)[]>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const readers: Readonly<Record<number, () => Buffer | bigint>> = {
    0: varint,
    1: () => take(8).readBigUInt64LE(),
    2: () => take(Number(varint())),
    5: () => BigInt(take(4).readUInt32LE()),
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const value = readers[tag & 7]?.();
    if (value === undefined) throw new Error(`no protobuf: wire type ${tag & 7}`);
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

const messages = (message: Message | undefined, field: number) =>
  (message?.get(field) ?? []).map((value) => readMessage(value as Buffer));
const bytesOf = (message: Message, field: number) => (message.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
const numberOf = (message: Message | undefined, field: number) => Number(message?.get(field)?.[0] ?? 0);

function readSpans(body: Buffer): CollectedSpan[] {
  return messages(readMessage(body), 1).flatMap((ofResource) => {
    const resource = readAttributes(messages(ofResource, 1)[0], 1);
    const spans = messages(ofResource, 2).flatMap((scope) => messages(scope, 2));
    return spans.map((span) => ({
      traceId: bytesOf(span, 1).toString('hex'),
      spanId: bytesOf(span, 2).toString('hex'),
      parentSpanId: bytesOf(span, 4).toString('hex'),
      name: bytesOf(span, 5).toString(),
      kind: numberOf(span, 6),
      attributes: readAttributes(span, 9),
      links: messages(span, 13).map((link) => bytesOf(link, 1).toString('hex')),
      failed: numberOf(messages(span, 15)[0], 3) === 2,
      resource,
    }));
  });
}

function readAttributes(message: Message | undefined, field: number): Record<string, string | number> {
  return Object.fromEntries(
    messages(message, field).map((pair) => {
      const [value = new Map()] = messages(pair, 2);
      const text = value.get(1)?.[0];
      return [bytesOf(pair, 1).toString(), text instanceof Buffer ? text.toString() : numberOf(value, 3)];
    }),
  );
}
