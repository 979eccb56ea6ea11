/** Signs webhooks, to test an endpoint. */
import { signedContent, utf8 } from '../../../contract/src/webhook-signature.ts';
import type { WebhookPayload } from '../../../generated/types.ts';
import { encodeSignature, importKeys, resolveScheme, type SignatureOptions, signedHeaderNames } from './scheme.ts';

export interface SignOptions extends SignatureOptions {
  /** An event's body, or any text, to test refusals. */
  readonly body: WebhookPayload | string;
  /** A new one by default. */
  readonly id?: string | undefined;
  /** Milliseconds since 1970; now by default. */
  readonly sentAt?: number | Date | undefined;
}

export interface SignedWebhook {
  /** Send exactly this. */
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** Signs an event as the service would, with each of the secrets. */
export async function signWebhook(options: SignOptions): Promise<SignedWebhook> {
  const { body: given, id = `evt_${crypto.randomUUID()}`, sentAt = Date.now() } = options;
  const scheme = resolveScheme(options);
  const body = typeof given === 'string' ? given : JSON.stringify(given);
  const timestamp = String(Math.floor(Number(sentAt) / 1_000));
  const sent: Record<string, string> = { [scheme.idHeader]: id, [scheme.timestampHeader]: timestamp };
  const content = signedContent(
    signedHeaderNames(scheme).map((name) => `${sent[name]}`),
    utf8(body),
  );
  const keys = await importKeys(scheme, options.secret);
  const signatures = await Promise.all(keys.map((key) => crypto.subtle.sign('HMAC', key, content)));
  const value = signatures.map((signature) => encodeSignature(scheme, signature)).join(' ');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      ...sent,
      ...Object.fromEntries(scheme.signatureHeaders.map((name) => [name, value])),
    },
  };
}
