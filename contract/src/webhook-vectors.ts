/** Webhooks with valid and invalid signatures, to test an implementation of the verification. */
import { readFileSync } from 'node:fs';

export interface WebhookVectors {
  readonly about: string;
  /** The receiver's time, in seconds since 1970. */
  readonly now: number;
  /** Seconds by which a timestamp may differ from it. */
  readonly tolerance_seconds: number;
  readonly valid: readonly ValidWebhookVector[];
  readonly invalid: readonly InvalidWebhookVector[];
}

/** One delivery. Verify `body` with `headers` and `secret` at the time `now`. */
interface Vector {
  /** Unique, and the same in later versions. */
  readonly name: string;
  /** The secret that the receiver has. */
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Encode it as UTF-8, unchanged. */
  readonly body: string;
}

export interface ValidWebhookVector extends Vector {
  /** Its special feature. */
  readonly summary: string;
  /** The secrets that sign the delivery, in the order of its signatures. */
  readonly signed_with: readonly string[];
}

/** The codes with which `verifyWebhook` of payments-client rejects the vectors. */
export type VectorErrorCode = 'HEADER_MISSING' | 'TIMESTAMP_INVALID' | 'TIMESTAMP_STALE' | 'NO_MATCH';

export interface InvalidWebhookVector extends Vector {
  /** Reason why a receiver must reject it. */
  readonly reason: string;
  readonly code: VectorErrorCode;
}

const VECTORS_FILE = new URL('../../generated/webhook-vectors.json', import.meta.url);

/** Reads the vectors that `npm run build` wrote. */
export function readWebhookVectors(): WebhookVectors {
  return JSON.parse(readFileSync(VECTORS_FILE, 'utf8')) as WebhookVectors;
}
