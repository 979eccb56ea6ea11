/** Verifies webhook signatures according to the assumption `signature`: Standard Webhooks. */
import type { Bundle } from '../../../contract/src/model.ts';
import { type Flaw, rejectedDeliveries } from '../../../contract/src/vectors/rejected.ts';
import { sign } from '../../../contract/src/vectors/writer.ts';
import { hasStandardSignature } from '../../../contract/src/webhook-signature.ts';
import { webhookHeaders } from '../../../generated/webhook-headers.ts';
import type { ReceivedDelivery } from '../service/exchange.ts';

export const ID_HEADER: string = webhookHeaders.id;
export const TIMESTAMP_HEADER: string = webhookHeaders.timestamp;
/** `X-<BRAND>-Signature` (source 5), whatever the brand. */
const BRANDED = /^x-.+-signature$/;

export function brandedHeader(delivery: ReceivedDelivery): string | undefined {
  return Object.keys(delivery.headers).find((name) => BRANDED.test(name));
}

/** A padded signature. Libraries compare text, so they reject others, which WebCrypto's decoding accepts. */
const PADDED = /^v1,[\w+/]{43}=$/;

/** A header that doesn't prove a delivery genuine. */
export interface SignatureMistake {
  readonly header: string;
  readonly expected: string;
  /** Undefined without the header. */
  readonly found: string | undefined;
}

/** The missing headers, or else the signatures that don't match the id, the timestamp and the body. */
export async function signatureMistakes(delivery: ReceivedDelivery, secret: string): Promise<SignatureMistake[]> {
  const { headers, text } = delivery;
  const [id, timestamp] = [headers[ID_HEADER], headers[TIMESTAMP_HEADER]];
  const missing = (header: string): SignatureMistake => ({ header, expected: 'present', found: undefined });
  if (id === undefined || timestamp === undefined) {
    return [ID_HEADER, TIMESTAMP_HEADER].filter((name) => headers[name] === undefined).map(missing);
  }
  const names = [brandedHeader(delivery), 'webhook-signature'].filter((name) => name !== undefined);
  const mistakes = names.map(async (header): Promise<SignatureMistake[]> => {
    const found = headers[header];
    if (found === undefined) return [missing(header)];
    const signed = { id, timestamp, text };
    return (await isSigned(found, signed, secret)) ? [] : [{ header, expected: rightSignature(signed, secret), found }];
  });
  // Both headers have the same value, so the same mistake is one.
  const all = (await Promise.all(mistakes)).flat();
  return all.filter(({ found }, index) => found === undefined || index === all.findIndex((one) => one.found === found));
}

interface Signed {
  readonly id: string;
  readonly timestamp: string;
  readonly text: string;
}

/** The expected signature with the signed string. The body is part of the evidence. */
function rightSignature({ id, timestamp, text }: Signed, secret: string): string {
  const signature = sign({ id, timestamp, body: text }, secret);
  return `"${signature}", the HMAC-SHA256 of "${id}.${timestamp}." and the body`;
}

/** Mistakes that show in the value of a header. */
const KNOWN: readonly Flaw[] = ['content', 'written'];

/** The known mistake behind the signature, such as signing the body alone; undefined for any other. */
export function knownMistake(bundle: Bundle, { headers, text, body }: ReceivedDelivery, secret: string, found: string) {
  const [id = '', timestamp = ''] = [headers[ID_HEADER], headers[TIMESTAMP_HEADER]];
  if (body === undefined || !/^\d{10}$/.test(timestamp)) return undefined;
  // The event is a second older than the clock.
  const secrets = { secret, previousSecret: secret, foreignSecret: secret };
  const inputs = { ...secrets, id, now: Number(timestamp) + 1, marginSeconds: 0, body: () => text };
  return rejectedDeliveries(bundle, inputs).find(
    (delivery) => KNOWN.includes(delivery.flaw) && Object.values(delivery.headers).includes(found),
  )?.reason;
}

export function isSigned(header: string, { id, timestamp, text }: Signed, secret: string): Promise<boolean> {
  const signatures = header.split(/,?\s+/).filter((part) => PADDED.test(part));
  return hasStandardSignature(signatures.join(' '), { id, timestamp, body: text }, secret);
}
