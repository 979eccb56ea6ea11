/** Verifies webhooks. */
import {
  hasSignature,
  signedContent,
  TIMESTAMP,
  TOLERANCE_SECONDS,
  utf8,
} from '../../../contract/src/webhook-signature.ts';
import { WebhookError } from './errors.ts';
import { readEvent, type WebhookEvent } from './event.ts';
import { importKeys, resolveScheme, type SignatureOptions, signedHeaderNames } from './scheme.ts';

export interface VerifyOptions extends SignatureOptions {
  /** The body as it arrived, before anything parsed it. */
  readonly body: RawBody;
  readonly headers: HeadersLike;
  /** Maximum age or lead of the delivery by this machine's clock, 300 s by default. 0 tolerates none. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/** Verifies an event and returns it. Rejects with a WebhookError, whose `code` is the reason. */
export async function verifyWebhook(options: VerifyOptions): Promise<WebhookEvent> {
  const scheme = resolveScheme(options);
  const body = await readBody(options.body);
  const signature = requireHeader(options, scheme.signatureHeaders);
  const names = signedHeaderNames(scheme);
  const values = names.map((name) => requireHeader(options, [name]));
  const timestamp = values[names.indexOf(scheme.timestampHeader)];
  const sentAt = timestamp === undefined ? undefined : checkTime(timestamp, options);
  const content = signedContent(values, body);
  const keys = await importKeys(scheme, options.secret);
  if (!(await hasSignature(scheme, keys, signature, content))) {
    throw new WebhookError('NO_MATCH', 'No signature matches the body');
  }
  return readEvent(body, values[names.indexOf(scheme.idHeader)], sentAt);
}

function requireHeader({ headers }: VerifyOptions, names: readonly string[]): string {
  const value = names.map((name) => headerValue(headers, name)).find(Boolean);
  if (value === undefined) throw new WebhookError('HEADER_MISSING', `The request has no header ${names.join(' or ')}`);
  return value;
}

function checkTime(timestamp: string, { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }: VerifyOptions): Date {
  // Not quoted: unverified senders choose the value, and messages are logged.
  if (!TIMESTAMP.test(timestamp)) throw new WebhookError('TIMESTAMP_INVALID', 'The timestamp is not an integer');
  const age = Math.round(now() / 1_000 - Number(timestamp));
  // `>` would accept any timestamp if the tolerance is NaN.
  if (!(Math.abs(age) <= toleranceSeconds)) {
    const difference = age > 0 ? `${age} s old` : `${-age} s ahead of this machine's clock`;
    throw new WebhookError('TIMESTAMP_STALE', `The timestamp is ${difference}; ${toleranceSeconds} s are allowed`);
  }
  return new Date(Number(timestamp) * 1_000);
}

/** Fetch's `Headers`, Node's `request.headers`, or any record; names are matched in any case. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The value of a header, empty when it is not there; several values are joined by spaces. */
export function headerValue(headers: HeadersLike, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
  return [value ?? ''].flat().join(' ');
}

/** A body as the frameworks give it: complete, or as a stream, such as `request.body` or Node's request. */
export type RawBody = string | Uint8Array | ArrayBuffer | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** Events have some kilobytes. */
const BODY_BYTES_MAX = 1_048_576;

/** Rejects with BODY_NOT_RAW or BODY_TOO_LARGE. */
export async function readBody(body: RawBody | null | undefined): Promise<Uint8Array> {
  const bytes = isStream(body) ? await readStream(body) : toBytes(body);
  checkSize(bytes.length);
  return bytes;
}

function isStream(body: RawBody | null | undefined): body is AsyncIterable<Uint8Array> {
  return typeof Object(body)[Symbol.asyncIterator] === 'function';
}

async function readStream(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    checkSize(size);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function toBytes(body: RawBody | null | undefined): Uint8Array {
  if (typeof body === 'string') return utf8(body);
  // Not by instanceof, since one from another realm, such as a frame, is as good.
  if (Object(body)[Symbol.toStringTag] === 'ArrayBuffer') return new Uint8Array(body as ArrayBuffer);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw new WebhookError('BODY_NOT_RAW', `The body is of type ${typeof body}, not a string, bytes or a stream`);
}

function checkSize(bytes: number): void {
  if (bytes > BODY_BYTES_MAX) {
    throw new WebhookError('BODY_TOO_LARGE', `The body has more than ${BODY_BYTES_MAX} bytes`);
  }
}
