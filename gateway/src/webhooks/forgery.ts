/** Verifies a webhook as receivers must (Standard Webhooks), for the demo shop's endpoint. */
import {
  hasStandardSignature,
  type SignedDelivery,
  TIMESTAMP,
  TOLERANCE_SECONDS,
} from '../../../contract/src/webhook-signature.ts';

export interface Received extends SignedDelivery {
  /** Signatures separated by spaces. */
  readonly signature: string;
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
