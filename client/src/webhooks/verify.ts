/** Verification of an event before anything in it is used. */
import {
  hasSignature,
  signedContent,
  TIMESTAMP,
  TOLERANCE_SECONDS,
  utf8,
} from '../../../contract/src/webhook-signature.ts';
import { WebhookError } from './errors.ts';
import { readEvent, type WebhookEvent } from './event.ts';
import { type HeadersLike, headerValue } from './headers.ts';
import { importKeys, type SignatureOptions, schemeOf, signedHeaderNames } from './scheme.ts';

export interface VerifyOptions extends SignatureOptions {
  /** The body as it arrived, before anything parsed it. */
  readonly body: string | Uint8Array | ArrayBuffer;
  readonly headers: HeadersLike;
  /** Maximum age or lead of the delivery by this machine's clock, 300 s by default. 0 tolerates none. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/** Verifies an event and returns it. Rejects with a WebhookError whose `code` says what is wrong. */
export async function verifyWebhook(options: VerifyOptions): Promise<WebhookEvent> {
  const scheme = schemeOf(options);
  const body = bytesOf(options.body);
  const signature = headerOf(options, scheme.signatureHeaders);
  const names = signedHeaderNames(scheme);
  const values = names.map((name) => headerOf(options, [name]));
  const timestamp = values[names.indexOf(scheme.timestampHeader)];
  const sentAt = timestamp === undefined ? undefined : checkTime(timestamp, options);
  const content = signedContent(values, body);
  const keys = await importKeys(scheme, options.secret);
  if (!(await hasSignature(scheme, keys, signature, content))) {
    throw new WebhookError('NO_MATCH', 'No signature matches the body');
  }
  return readEvent(body, values[names.indexOf(scheme.idHeader)], sentAt);
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
  if (!TIMESTAMP.test(timestamp)) throw new WebhookError('TIMESTAMP_INVALID', `The timestamp is '${timestamp}'`);
  const age = Math.round(now() / 1_000 - Number(timestamp));
  // Not by `>`, since nothing is greater than a tolerance that is NaN.
  if (!(Math.abs(age) <= toleranceSeconds)) {
    throw new WebhookError('TIMESTAMP_STALE', `The timestamp is ${age} s old; ${toleranceSeconds} are allowed`);
  }
  return new Date(Number(timestamp) * 1_000);
}
