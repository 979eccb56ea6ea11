/**
 * Signed reports: DSSE envelopes (https://github.com/secure-systems-lab/dsse) with Ed25519. The signature covers the exact
 * bytes of the report and their type, and a reader gets the report from those bytes and from nowhere else.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { FORMAT, isReport, type Report } from './report.ts';

/** Type of the signed bytes. It keeps other signatures with the same key from counting. */
const PAYLOAD_TYPE = 'application/vnd.payments-conformance.report+json';
const KEY_TYPE = 'ed25519';

export interface OpenedReport {
  readonly report: Report;
  /** The signed bytes as text. */
  readonly text: string;
  /** Id of the key that signed it. */
  readonly keyId: string;
}

/** The envelope has no valid signature of the key. The message says why. */
export class InvalidSignature extends Error {}

/** Signs the text of a report. Returns the envelope as JSON. */
export function signReport(text: string, key: KeyObject): string {
  const payload = Buffer.from(text);
  const signature = sign(null, signedBytes(PAYLOAD_TYPE, payload), key).toString('base64');
  const envelope = {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: publicKeyId(createPublicKey(key)), sig: signature }],
  };
  return `${JSON.stringify(envelope, null, 2)}\n`;
}

/**
 * The report in the envelope, if one of the public keys has signed it. Throws NotGenuine otherwise. The `keyid` of the
 * envelope isn't signed, so it is ignored.
 */
export function openReport(envelope: string, keys: readonly KeyObject[]): OpenedReport {
  const { payloadType, payload, signatures } = readEnvelope(envelope);
  if (payloadType !== PAYLOAD_TYPE) throw new InvalidSignature('it is signed as something else than a report');
  const bytes = Buffer.from(payload, 'base64');
  const signed = signedBytes(payloadType, bytes);
  const key = keys.find((one) => signatures.some((sig) => verify(null, signed, one, Buffer.from(sig, 'base64'))));
  if (!key)
    throw new InvalidSignature('no signature is that of a given key: it was changed, or someone else signed it');
  const text = bytes.toString();
  const report = parse(text);
  if (!isReport(report)) throw new InvalidSignature(`it is signed, but not a report of format ${FORMAT}`);
  return { report, text, keyId: publicKeyId(key) };
}

/** The id of a public key: the SHA-256 of its DER form. */
export function publicKeyId(key: KeyObject): string {
  return `sha256:${createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')}`;
}

/** A key to sign with, from PKCS#8 PEM; undefined if the text is something else. */
export function readSigningKey(pem: string): KeyObject | undefined {
  return ed25519(() => createPrivateKey(pem));
}

/** A key to verify with, from SPKI PEM; undefined if the text is something else. */
export function readPublicKey(pem: string): KeyObject | undefined {
  return ed25519(() => createPublicKey(pem));
}

function ed25519(read: () => KeyObject): KeyObject | undefined {
  try {
    const key = read();
    return key.asymmetricKeyType === KEY_TYPE ? key : undefined;
  } catch {
    return undefined;
  }
}

/** DSSE's pre-authentication encoding. With the lengths in it, no two pairs of type and bytes share one. */
function signedBytes(type: string, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${bytes.length} `), bytes]);
}

interface Envelope {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly string[];
}

function readEnvelope(text: string): Envelope {
  const value = parse(text) as { payloadType?: unknown; payload?: unknown; signatures?: unknown } | undefined;
  const { payloadType, payload, signatures } = value ?? {};
  const found = (Array.isArray(signatures) ? signatures : []).map((one) => (one as { sig?: unknown } | null)?.sig);
  const isEnvelope = isBase64(payload) && typeof payloadType === 'string' && found.length > 0 && found.every(isBase64);
  if (!isEnvelope) throw new InvalidSignature('it has no signature. Use the .dsse.json file that --sign writes');
  return { payloadType, payload, signatures: found };
}

function isBase64(value: unknown): value is string {
  // A regular expression would overflow the stack on a long text.
  return typeof value === 'string' && value !== '' && Buffer.from(value, 'base64').toString('base64') === value;
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
