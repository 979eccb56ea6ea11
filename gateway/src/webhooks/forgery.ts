/** Verification of a webhook as a receiver has to do it (Standard Webhooks), for the demo shop's own endpoint. */
import { type KeyObject, timingSafeEqual } from 'node:crypto';
import { type Signed, sign } from './signature.ts';

export interface Received {
  readonly id: string;
  /** As in its header. */
  readonly timestamp: string;
  /** Signatures separated by spaces. */
  readonly signature: string;
  readonly body: string;
}

/** How far the timestamp may be from the receiver's clock; older deliveries could be replays. */
export const TOLERANCE_SECONDS = 300;

/** Says why the webhook must not be trusted, or returns undefined for a genuine one. `now` is milliseconds since 1970. */
export function findForgery(received: Received, keys: readonly KeyObject[], now: number): string | undefined {
  const { id, timestamp, signature, body } = received;
  if (id === '') return 'the id is missing';
  if (!/^\d{1,12}$/.test(timestamp)) return 'the timestamp is missing or malformed';
  if (Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    return `the timestamp is more than ${TOLERANCE_SECONDS} s from now`;
  }
  const signed: Signed = { id, timestamp: Number(timestamp), body };
  const expected = keys.map((key) => Buffer.from(sign(signed, [key])));
  const given = signature.split(' ').map((one) => Buffer.from(one));
  const genuine = expected.some((one) => given.some((other) => equal(one, other)));
  return genuine ? undefined : 'the signature does not match';
}

/** Compares in constant time. Signatures of different lengths, which timingSafeEqual refuses, differ. */
function equal(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
