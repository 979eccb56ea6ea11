/** Webhook signatures, by WebCrypto, so that they can be verified in any runtime, including browsers. */

export interface SignatureFormat {
  readonly hash: 'SHA-256' | 'SHA-384' | 'SHA-512';
  readonly encoding: 'base64' | 'hex';
  /** Precedes each signature, such as `v1,` or `sha256=`. */
  readonly prefix: string;
}

/** The format of Standard Webhooks, which the contract assumes (assumption `signature`). */
export const STANDARD_FORMAT: SignatureFormat = { hash: 'SHA-256', encoding: 'base64', prefix: 'v1,' };

/** Seconds by which a timestamp may differ from the receiver's clock; older deliveries could be replays. */
export const TOLERANCE_SECONDS = 300;
/** Seconds since 1970, as in the header. */
export const TIMESTAMP = /^\d{1,12}$/;

/** Rotation needs two; more than these are not looked at. */
const SIGNATURES_MAX = 8;
const SECRET_PREFIX = /^whsec_/;

/** The name of WebCrypto's type differs between runtimes. */
export type SignatureKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** The bytes of a secret, which is base64 after its prefix; undefined if it isn't. */
export function secretBytes(secret: string): Uint8Array<ArrayBuffer> | undefined {
  return fromBase64(secret.replace(SECRET_PREFIX, ''));
}

export function importKey({ hash }: SignatureFormat, bytes: Uint8Array<ArrayBuffer>): Promise<SignatureKey> {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, ['sign', 'verify']);
}

/** The signed content: the values, each with a dot after it, and the body. */
export function signedContent(values: readonly string[], body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = utf8([...values, ''].join('.'));
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
}

/** Whether any signature in the header matches the content under any of the keys. */
export async function hasSignature(
  format: SignatureFormat,
  keys: readonly SignatureKey[],
  value: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const signatures = decodeSignatures(format, value).slice(0, SIGNATURES_MAX);
  // WebCrypto compares in constant time, and every pair is tried whatever the others gave.
  const results = await Promise.all(
    keys.flatMap((key) => signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, content))),
  );
  return results.includes(true);
}

/** A delivery of a webhook, with its headers as they were received. */
export interface SignedDelivery {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string;
}

/** Whether a header's value has a standard signature of the delivery with the secret. */
export async function hasStandardSignature(
  value: string,
  { id, timestamp, body }: SignedDelivery,
  secret: string,
): Promise<boolean> {
  const bytes = secretBytes(secret);
  if (!bytes?.length) return false;
  const key = await importKey(STANDARD_FORMAT, bytes);
  return hasSignature(STANDARD_FORMAT, [key], value, signedContent([id, timestamp], utf8(body)));
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function decodeSignatures({ encoding, prefix }: SignatureFormat, value: string): Uint8Array<ArrayBuffer>[] {
  return value.split(/,?\s+/).flatMap((text) => {
    if (!text.startsWith(prefix)) return [];
    const encoded = text.slice(prefix.length);
    return (encoding === 'hex' ? fromHex(encoded) : fromBase64(encoded)) ?? [];
  });
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/[\da-f]{2}/gi) ?? [], (pair) => Number.parseInt(pair, 16));
}
