/** Verification of a webhook's signature, as the assumption `signature` has it: Standard Webhooks. */
import { hasStandardSignature } from '../../../contract/src/webhook-signature.ts';
import { webhookHeaders } from '../../../generated/webhook-headers.ts';
import type { Delivery } from '../service/journal.ts';

export const ID_HEADER: string = webhookHeaders.id;
export const TIMESTAMP_HEADER: string = webhookHeaders.timestamp;
/** `X-<BRAND>-Signature` (source 5), whatever the brand. */
const BRANDED = /^x-.+-signature$/;

/** The name of the branded header of a delivery, if it has one. */
export function brandedHeader(delivery: Delivery): string | undefined {
  return Object.keys(delivery.headers).find((name) => BRANDED.test(name));
}

/** A padded signature. Libraries compare text, so they reject others, which WebCrypto's decoding accepts. */
const PADDED = /^v1,[\w+/]{43}=$/;

/** Whether one of the header's signatures is right for the id, the timestamp and the body. */
export function isSigned(
  header: string,
  { id, timestamp, text }: { id: string; timestamp: string; text: string },
  secret: string,
): Promise<boolean> {
  const signatures = header.split(/,?\s+/).filter((part) => PADDED.test(part));
  return hasStandardSignature(signatures.join(' '), { id, timestamp, body: text }, secret);
}
