/** Verifies webhooks. */
import { hasSignature, signedContent, TIMESTAMP, TOLERANCE_SECONDS } from '../../../contract/src/webhook-signature.ts';
import { WebhookError } from './errors.ts';
import { readEvent, type WebhookEvent } from './event.ts';
import { type HeadersLike, headerValue } from './headers.ts';
import { type RawBody, readBody } from './read-body.ts';
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
