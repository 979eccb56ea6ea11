/** Signature schemes: Standard Webhooks by default. Every part is configurable, since the source leaves it open. */
import {
  importKey,
  type SignatureFormat,
  type SignatureKey,
  STANDARD_FORMAT,
  secretBytes,
  utf8,
} from '../../../contract/src/webhook-signature.ts';
import { webhookHeaders } from '../../../generated/webhook-headers.ts';
import { type PartialOptions, withDefaults } from '../options.ts';
import { WebhookError } from './errors.ts';

export interface SignatureScheme {
  /** Names of signature headers. The first one present is used. */
  readonly signatureHeaders: readonly string[];
  readonly idHeader: string;
  readonly timestampHeader: string;
  /** The signed content. Headers for other values are optional. */
  readonly content: 'id.timestamp.body' | 'timestamp.body' | 'body';
  readonly hash: 'SHA-256' | 'SHA-384' | 'SHA-512';
  readonly encoding: 'base64' | 'hex';
  /** Precedes each signature, such as `v1,` or `sha256=`. */
  readonly prefix: string;
  /** Encoding of the secret: base64 (after `whsec_`), or verbatim text. */
  readonly secret: 'base64' | 'text';
}

export interface SignatureOptions {
  /** The signing secret, or several while it is being replaced. Undefined, as of an unset variable, is refused. */
  readonly secret: string | readonly string[] | undefined;
  /** Name of the signature header, if the service uses another. */
  readonly header?: string | undefined;
  /** Overrides of the scheme. */
  readonly scheme?: PartialOptions<SignatureScheme> | undefined;
}

const STANDARD: SignatureScheme = {
  signatureHeaders: webhookHeaders.signatures,
  idHeader: webhookHeaders.id,
  timestampHeader: webhookHeaders.timestamp,
  content: 'id.timestamp.body',
  ...STANDARD_FORMAT,
  secret: 'base64',
};

/** Control characters, such as a line break from the end of a file. */
const CONTROL = /\p{Cc}/u;

export function resolveScheme({ header, scheme }: SignatureOptions): SignatureScheme {
  return withDefaults(STANDARD, { ...scheme, ...(header && { signatureHeaders: [header] }) });
}

/** Names of the headers signed before the body, in order. */
export function signedHeaderNames({ content, idHeader, timestampHeader }: SignatureScheme): string[] {
  const names: Record<string, string> = { id: idHeader, timestamp: timestampHeader };
  return content.split('.').flatMap((part) => names[part] ?? []);
}

/** Throws a WebhookError with SECRET_INVALID if there is no secret, or if one can't be a signing secret. */
export function checkSecret(options: Pick<SignatureOptions, 'secret' | 'scheme'>): void {
  readSecrets(resolveScheme(options), options.secret);
}

/** The keys of the secrets. Rejects as `checkSecret` throws. */
export async function importKeys(scheme: SignatureScheme, given: SignatureOptions['secret']): Promise<SignatureKey[]> {
  return Promise.all(readSecrets(scheme, given).map((bytes) => importKey(scheme, bytes)));
}

function readSecrets(scheme: SignatureScheme, given: SignatureOptions['secret']): Uint8Array<ArrayBuffer>[] {
  const secrets = given === undefined || given.length === 0 ? [''] : [given].flat();
  return secrets.map((text) => {
    if (!text) throw new WebhookError('SECRET_INVALID', 'The signing secret is missing');
    if (text.startsWith('sk_')) throw new WebhookError('SECRET_INVALID', 'The signing secret is an API key, sk_…');
    const bytes = scheme.secret === 'text' ? utf8(text) : secretBytes(`${text}`);
    if (!bytes?.length || CONTROL.test(text)) {
      throw new WebhookError('SECRET_INVALID', 'The signing secret is not base64 or has a line break');
    }
    return bytes;
  });
}

/** A signature in the form that the header has. */
export function encodeSignature({ encoding, prefix }: SignatureFormat, signature: ArrayBuffer): string {
  const bytes = [...new Uint8Array(signature)];
  const text =
    encoding === 'hex'
      ? bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
      : btoa(String.fromCharCode(...bytes));
  return prefix + text;
}
