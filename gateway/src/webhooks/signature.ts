/** Signatures and headers of webhooks (contract: `signature`). The names of the headers are the contract's. */
import { type Bundle, type Operation, webhooks } from '../../../contract/src/model.ts';
import {
  hasStandardSignature,
  type SignedDelivery,
  TIMESTAMP,
  TOLERANCE_SECONDS,
} from '../../../contract/src/webhook-signature.ts';
import { fromBase64 } from '../platform/base64.ts';
import { hmacBase64, importKey, type SecretKey } from '../platform/crypto.ts';

const SECRET_PREFIX = 'whsec_';
const SCHEME = 'v1';

/** Header names by content, and the media type of the body. */
export interface WireFormat {
  readonly id: string;
  readonly timestamp: string;
  /** The branded header and the Standard Webhooks header, with the same value. */
  readonly signatures: readonly string[];
  readonly mediaType: string;
}

export interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** Reads the wire format from the contract's webhooks. Throws if they differ or lack a header. */
export function readWireFormat(bundle: Bundle): WireFormat {
  const [first, ...others] = webhooks(bundle).map(readFormat);
  if (!first || others.some((other) => JSON.stringify(other) !== JSON.stringify(first))) {
    throw new Error('the webhooks of the contract must exist and must agree on their headers and media type');
  }
  return first;
}

/** Decodes the key of a signing secret: the base64 after its prefix. */
export function signingKey(secret: string): SecretKey {
  return importKey(fromBase64(secret.slice(SECRET_PREFIX.length)));
}

/** The value of the signature headers: one signature per key, since a secret stays valid during its rotation. */
export function sign({ id, timestamp, body }: Signed, keys: readonly SecretKey[]): string {
  const content = `${id}.${timestamp}.${body}`;
  return keys.map((key) => `${SCHEME},${hmacBase64(key, content)}`).join(' ');
}

/** The headers that the contract describes. */
export function signedHeaders(format: WireFormat, signed: Signed, keys: readonly SecretKey[]): Record<string, string> {
  const signature = sign(signed, keys);
  const headers: Record<string, string> = {
    'content-type': format.mediaType,
    [format.id]: signed.id,
    [format.timestamp]: String(signed.timestamp),
  };
  for (const name of format.signatures) headers[name] = signature;
  return headers;
}

function readFormat(webhook: Operation): WireFormat {
  const names = webhook.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  const ending = (suffix: string) => names.filter((name) => name.toLowerCase().endsWith(suffix));
  const [id] = ending('-id');
  const [timestamp] = ending('-timestamp');
  const signatures = ending('-signature');
  if (!id || !timestamp || signatures.length === 0 || !webhook.request) {
    throw new Error(`the contract's webhook ${webhook.id} needs headers for id, timestamp and signature, and a body`);
  }
  return { id, timestamp, signatures, mediaType: webhook.request.mediaType };
}

/** A webhook that has arrived. */
export interface Received extends SignedDelivery {
  /** Signatures separated by spaces. */
  readonly signature: string;
}

/** Reads a webhook from its headers. */
export function readReceived(format: WireFormat, header: (name: string) => string | undefined, body: string): Received {
  const [id = '', timestamp = '', signature = ''] = [format.id, format.timestamp, format.signatures[0] ?? ''].map(
    header,
  );
  return { id, timestamp, signature, body };
}

/** Returns why the webhook is forged, or undefined for a genuine one. `now` is in milliseconds since 1970. */
export async function findForgery(received: Received, secret: string, now: number): Promise<string | undefined> {
  const { id, timestamp, signature } = received;
  if (id === '') return 'the id is missing';
  if (!TIMESTAMP.test(timestamp)) return 'the timestamp is missing or malformed';
  if (Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    return `the timestamp is more than ${TOLERANCE_SECONDS} s from now`;
  }
  return (await hasStandardSignature(signature, received, secret)) ? undefined : 'the signature does not match';
}
