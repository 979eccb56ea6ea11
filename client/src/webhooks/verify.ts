/** Verification of an event before anything in it is used. */
import { WebhookError } from './errors.ts';
import { readEvent, type WebhookEvent } from './event.ts';
import { type HeadersLike, headerValue } from './headers.ts';
import {
  decodeSignatures,
  importKeys,
  type SignatureOptions,
  type SignatureScheme,
  schemeOf,
  signedContent,
  signedHeaders,
  utf8,
} from './scheme.ts';

export interface VerifyOptions extends SignatureOptions {
  /** The body as it arrived, before anything parsed it. */
  readonly body: string | Uint8Array | ArrayBuffer;
  readonly headers: HeadersLike;
  /** How far the time of the delivery may be from this machine's, 300 s by default. 0 means no tolerance, not no check. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

const TOLERANCE_SECONDS = 300;
/** Rotation needs two; more than these are not looked at. */
const SIGNATURES_MAX = 8;

/** Verifies an event and returns it. Rejects with a WebhookError whose `code` says what is wrong. */
export async function verifyWebhook(options: VerifyOptions): Promise<WebhookEvent> {
  const scheme = schemeOf(options);
  const body = bytesOf(options.body);
  const signature = headerOf(options, scheme.signatureHeaders);
  const names = signedHeaders(scheme);
  const values = names.map((name) => headerOf(options, [name]));
  const timestamp = values[names.indexOf(scheme.timestampHeader)];
  const sentAt = timestamp === undefined ? undefined : checkTime(timestamp, options);
  const content = signedContent(values, body);
  if (!(await matches(scheme, options.secret, signature, content))) {
    throw new WebhookError('NO_MATCH', 'No signature matches the body');
  }
  return readEvent(body, values[names.indexOf(scheme.idHeader)], sentAt);
}

async function matches(
  scheme: SignatureScheme,
  secret: string | readonly string[],
  header: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const keys = await importKeys(scheme, secret);
  const signatures = decodeSignatures(scheme, header).slice(0, SIGNATURES_MAX);
  // WebCrypto compares in constant time, and every pair is tried whatever the others gave.
  const results = await Promise.all(
    keys.flatMap((key) => signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, content))),
  );
  return results.includes(true);
}

function bytesOf(body: VerifyOptions['body'] | undefined): Uint8Array {
  if (typeof body === 'string') return utf8(body);
  // Not by instanceof, since one from another realm, such as a frame, is as good.
  if (body?.[Symbol.toStringTag] === 'ArrayBuffer') return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw new WebhookError('BODY_NOT_RAW', `The body is of type ${typeof body}, not text or bytes`);
}

function headerOf({ headers }: VerifyOptions, names: readonly string[]): string {
  const value = names.map((name) => headerValue(headers, name)).find(Boolean);
  if (value === undefined) throw new WebhookError('HEADER_MISSING', `The request has no header ${names.join(' or ')}`);
  return value;
}

function checkTime(timestamp: string, { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }: VerifyOptions): Date {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('TIMESTAMP_INVALID', `The timestamp is '${timestamp}'`);
  const age = Math.round(now() / 1_000 - Number(timestamp));
  // Not by `>`, since nothing is greater than a tolerance that is NaN.
  if (!(Math.abs(age) <= toleranceSeconds)) {
    throw new WebhookError('TIMESTAMP_STALE', `The timestamp is ${age} s old; ${toleranceSeconds} are allowed`);
  }
  return new Date(Number(timestamp) * 1_000);
}
