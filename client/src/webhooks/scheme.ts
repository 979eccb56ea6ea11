/** How events are signed: Standard Webhooks by default, and every part can be set, since the source leaves it open. */
import { webhookHeaders } from '../../../generated/webhook-headers.ts';
import { type Given, withDefaults } from '../options.ts';
import { WebhookError } from './errors.ts';

export interface SignatureScheme {
  /** Headers that may hold the signature; the first that is there counts. */
  readonly signatureHeaders: readonly string[];
  readonly idHeader: string;
  readonly timestampHeader: string;
  /** What is signed. The headers for what is not in it are not needed. */
  readonly content: 'id.timestamp.body' | 'timestamp.body' | 'body';
  readonly hash: 'SHA-256' | 'SHA-384' | 'SHA-512';
  readonly encoding: 'base64' | 'hex';
  /** Precedes each signature, such as `v1,` or `sha256=`. */
  readonly prefix: string;
  /** Encoding of the secret: base64 (after `whsec_`), or text that is used verbatim. */
  readonly secret: 'base64' | 'text';
}

export interface SignatureOptions {
  /** The signing secret, or several of them while it is being replaced. */
  readonly secret: string | readonly string[];
  /** Name of the signature's header, when the service has another. */
  readonly header?: string | undefined;
  /** Parts of the scheme in which the service differs. */
  readonly scheme?: Given<SignatureScheme> | undefined;
}

const STANDARD: SignatureScheme = {
  signatureHeaders: webhookHeaders.signatures,
  idHeader: webhookHeaders.id,
  timestampHeader: webhookHeaders.timestamp,
  content: 'id.timestamp.body',
  hash: 'SHA-256',
  encoding: 'base64',
  prefix: 'v1,',
  secret: 'base64',
};

const SECRET_PREFIX = /^whsec_/;
/** Such as a line break from the end of a file. */
const CONTROL = /\p{Cc}/u;
/** The name of WebCrypto's type differs between runtimes. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** The scheme with what the caller has set. */
export function schemeOf({ header, scheme }: SignatureOptions): SignatureScheme {
  return withDefaults(STANDARD, { ...scheme, ...(header && { signatureHeaders: [header] }) });
}

/** Names of the headers whose values are signed before the body, in their order. */
export function signedHeaders({ content, idHeader, timestampHeader }: SignatureScheme): string[] {
  const names: Record<string, string> = { id: idHeader, timestamp: timestampHeader };
  return content.split('.').flatMap((part) => names[part] ?? []);
}

/** What is signed: the values, each with a dot after it, and the body. */
export function signedContent(values: readonly string[], body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = utf8([...values, ''].join('.'));
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
}

/** The keys of the secrets. Rejects with SECRET_INVALID if one is invalid, or if there is none. */
export async function importKeys({ secret, hash }: SignatureScheme, given: string | readonly string[]): Promise<Key[]> {
  const secrets = [given?.length ? given : ''].flat() as string[];
  return Promise.all(
    secrets.map((text) => {
      const bytes = secret === 'text' ? utf8(text) : fromBase64(`${text}`.replace(SECRET_PREFIX, ''));
      if (!text || !bytes?.length || CONTROL.test(text)) {
        throw new WebhookError('SECRET_INVALID', 'The secret is empty, not base64 or has a line break');
      }
      return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, ['sign', 'verify']);
    }),
  );
}

/** A signature in the form that the header has. */
export function encodeSignature({ encoding, prefix }: SignatureScheme, signature: ArrayBuffer): string {
  const bytes = [...new Uint8Array(signature)];
  const text =
    encoding === 'hex'
      ? bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
      : btoa(String.fromCharCode(...bytes));
  return prefix + text;
}

/** The signatures of a header's value that are of this scheme. */
export function decodeSignatures({ encoding, prefix }: SignatureScheme, value: string): Uint8Array<ArrayBuffer>[] {
  return value.split(/,?\s+/).flatMap((text) => {
    if (!text.startsWith(prefix)) return [];
    const encoded = text.slice(prefix.length);
    return (encoding === 'hex' ? fromHex(encoded) : fromBase64(encoded)) ?? [];
  });
}

/** The bytes of a text. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
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
