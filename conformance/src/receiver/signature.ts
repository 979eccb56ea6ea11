/** Verification of a webhook's signature, as the assumption `signature` has it: Standard Webhooks. */
import { createHmac, timingSafeEqual } from 'node:crypto';
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

/** Whether one of the header's signatures is right for the id, the timestamp and the body. */
export function isSigned(
  header: string,
  { id, timestamp, text }: { id: string; timestamp: string; text: string },
  secret: string,
): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64');
  // As text: Buffer.from decodes base64url too, which libraries reject.
  const expected = Buffer.from(`v1,${digest}`);
  return header.split(/,?\s+/).some((part) => {
    const given = Buffer.from(part);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
