/** Deliveries that a receiver rejects, each with its reason. */
import { createHash, createHmac } from 'node:crypto';
import type { Bundle } from '../model.ts';
import { TOLERANCE_SECONDS } from '../webhook-signature.ts';
import type { VectorErrorCode } from '../webhook-vectors.ts';
import {
  DeliveryWriter,
  decodeKey,
  formatContent,
  sign,
  type VectorDelivery,
  type VectorEvent,
  type VectorInputs,
} from './writer.ts';

/**
 * The kind of defect: the signed values were `changed` afterwards; the `time`; a `header` is missing; the right
 * signature is `written` differently; the signature is `wrong`; other `content` was signed, or signed differently.
 */
export type Flaw = 'changed' | 'time' | 'header' | 'written' | 'wrong' | 'content';

export interface RejectedDelivery extends VectorDelivery {
  readonly name: string;
  readonly flaw: Flaw;
  readonly code: VectorErrorCode;
  /** Reason why a receiver must reject it. */
  readonly reason: string;
}

type RejectedRow = readonly [name: string, code: VectorErrorCode, reason: string, delivery: VectorDelivery];
type WrongRow = readonly [name: string, reason: string, signature: string];

export function rejectedDeliveries(bundle: Bundle, inputs: VectorInputs): RejectedDelivery[] {
  const writer = new DeliveryWriter(bundle, inputs);
  return Object.entries(FLAWS).flatMap(([flaw, rowsOf]) =>
    rowsOf(writer).map(([name, code, reason, delivery]) => ({ name, flaw: flaw as Flaw, code, reason, ...delivery })),
  );
}

/** Deliveries with a signed value changed in transit. */
function changedRows(writer: DeliveryWriter): RejectedRow[] {
  const { id, timestamp, body } = writer.event;
  const data = JSON.parse(body) as object;
  const reversed = JSON.stringify(Object.fromEntries(Object.entries(data).reverse()));
  const rows: [string, string, Partial<VectorEvent>][] = [
    ['altered-body', 'One byte of the body was changed.', { body: body.replace('49900', '49901') }],
    ['altered-status', 'The status in the body was changed.', { body: body.replace('SUCCESS', 'FAILED') }],
    ['altered-id', 'The id is not the one that was signed.', { id: `${id}x` }],
    ['altered-timestamp', 'The timestamp is not the one that was signed.', { timestamp: `${Number(timestamp) + 1}` }],
    ['truncated-body', 'The end of the body is missing.', { body: body.slice(0, -20) }],
    ['empty-body', 'The body is missing.', { body: '' }],
    ['appended-line-break', 'A line break was added at the end of the body.', { body: `${body}\n` }],
    ['added-whitespace', 'The body was parsed and written with indentation.', { body: indented(body) }],
    ['reordered-keys', 'The body was parsed and written with another order of its keys.', { body: reversed }],
    ['repeated-key', 'A second amount was added.', { body: body.replace('{', '{"amount":1,') }],
    ['byte-order-mark', 'A byte order mark was added before the body.', { body: `\uFEFF${body}` }],
  ];
  return rows.map(([name, reason, changes]) => [name, 'NO_MATCH', reason, writer.changed(changes)]);
}

/** The signature is right; the time is not. */
function timeRows(writer: DeliveryWriter): RejectedRow[] {
  const { now, marginSeconds } = writer.inputs;
  const at = (timestamp: number | string) => writer.signed({ timestamp: String(timestamp) });
  const beyond = TOLERANCE_SECONDS + marginSeconds;
  return [
    ['stale', 'TIMESTAMP_STALE', `The timestamp is ${beyond} s ago: this may be a replay.`, at(now - beyond)],
    ['stale-by-a-year', 'TIMESTAMP_STALE', 'The timestamp is a year ago.', at(now - 365 * 86_400)],
    ['future', 'TIMESTAMP_STALE', `The timestamp is ${beyond} s ahead.`, at(now + beyond)],
    ['timestamp-in-milliseconds', 'TIMESTAMP_INVALID', 'The timestamp is not in seconds.', at(`${now}000`)],
    ['timestamp-as-date', 'TIMESTAMP_INVALID', 'The timestamp is a date.', at(new Date(now * 1_000).toISOString())],
    ['timestamp-with-fraction', 'TIMESTAMP_INVALID', 'The timestamp is not an integer.', at(`${now}.5`)],
    ['negative-timestamp', 'TIMESTAMP_INVALID', 'The timestamp is negative.', at(-now)],
  ];
}

/** A header is missing or empty. What remains is right. */
function headerRows(writer: DeliveryWriter): RejectedRow[] {
  const { id, timestamp, signatures } = writer.names;
  return [
    ['missing-id', 'HEADER_MISSING', 'The header with the id is missing.', writer.without(id)],
    ['missing-timestamp', 'HEADER_MISSING', 'The header with the timestamp is missing.', writer.without(timestamp)],
    ['missing-signature', 'HEADER_MISSING', 'No header has a signature.', writer.without(...signatures)],
    ['empty-id', 'HEADER_MISSING', 'The id is empty.', writer.signed({ id: '' })],
    ['empty-timestamp', 'HEADER_MISSING', 'The timestamp is empty.', writer.signed({ timestamp: '' })],
    ['empty-signature', 'HEADER_MISSING', 'The signature is empty.', writer.withSignature('')],
  ];
}

/** The signature is right, but isn't written as it must be. */
function writtenRows(writer: DeliveryWriter): RejectedRow[] {
  const { encoded, bytes } = rightSignature(writer);
  const rows: WrongRow[] = [
    ['wrong-version', 'The version is v2.', `v2,${encoded}`],
    ['asymmetric-version', 'The version is that of signatures with a key pair.', `v1a,${encoded}`],
    ['upper-case-version', 'The version is in upper case.', `V1,${encoded}`],
    ['missing-version', 'The version is missing.', encoded],
    ['equals-sign', 'An equals sign separates version and signature.', `v1=${encoded}`],
    ['hex', 'The signature is hexadecimal, not base64.', `v1,${bytes.toString('hex')}`],
    ['prolonged-signature', 'A byte follows the signature.', inBase64(Buffer.concat([bytes, Buffer.of(0)]))],
  ];
  return [
    ...rows.map(([name, reason, value]): RejectedRow => [name, 'NO_MATCH', reason, writer.withSignature(value)]),
    ['base64url', 'NO_MATCH', 'The signature is base64url, not base64.', inBase64url(writer)],
  ];
}

function wrongRows(writer: DeliveryWriter): RejectedRow[] {
  const { event, inputs } = writer;
  const { bytes } = rightSignature(writer);
  const altered = Buffer.from(bytes);
  altered[0] = (bytes[0] ?? 0) ^ 1;
  const [foreign, previous] = [inputs.foreignSecret, inputs.previousSecret].map((secret) => sign(event, secret));
  const rows: WrongRow[] = [
    ['version-alone', 'There is nothing after the version.', 'v1,'],
    ['altered-signature', 'One bit of the signature was changed.', inBase64(altered)],
    ['truncated-signature', 'The signature has only its first 16 bytes.', inBase64(bytes.subarray(0, 16))],
    ['zero-signature', 'The signature consists of zeros.', inBase64(Buffer.alloc(bytes.length))],
    ['foreign-secret', 'It is signed with the secret of another merchant.', `${foreign}`],
    ['previous-secret', 'It is signed with the previous secret alone, which has been replaced.', `${previous}`],
    ['two-wrong-signatures', 'Neither of two signatures is right.', `${foreign} ${previous}`],
  ];
  return rows.map(([name, reason, value]) => [name, 'NO_MATCH', reason, writer.withSignature(value)]);
}

function rightSignature({ event, inputs }: DeliveryWriter): { encoded: string; bytes: Buffer } {
  const encoded = sign(event, inputs.secret).slice('v1,'.length);
  return { encoded, bytes: Buffer.from(encoded, 'base64') };
}

function inBase64(bytes: Buffer): string {
  return `v1,${bytes.toString('base64')}`;
}

/** An event whose signature has both characters in which the alphabets differ. */
function inBase64url(writer: DeliveryWriter): VectorDelivery {
  for (let number = 1; ; number += 1) {
    const event = { ...writer.event, id: `${writer.event.id}_${number}` };
    const signature = sign(event, writer.inputs.secret);
    if (!signature.includes('+') || !signature.includes('/')) continue;
    return writer.withSignature(signature.replaceAll('+', '-').replaceAll('/', '_'), event);
  }
}

/** Something else was signed, or signed differently. */
function contentRows(writer: DeliveryWriter): RejectedRow[] {
  const { event, inputs } = writer;
  const { id, timestamp, body } = event;
  const content = formatContent(event);
  const hmac = (key: Buffer, text: string, hash = 'sha256') => createHmac(hash, key).update(text).digest('base64');
  const key = decodeKey(inputs.secret);
  const rows: WrongRow[] = [
    ['body-alone', 'Only the body is signed, so id and time could be replaced.', hmac(key, body)],
    ['timestamp-and-body', 'The id is not signed.', hmac(key, `${timestamp}.${body}`)],
    ['id-and-body', 'The timestamp is not signed.', hmac(key, `${id}.${body}`)],
    ['swapped-parts', 'The timestamp is signed before the id.', hmac(key, `${timestamp}.${id}.${body}`)],
    ['missing-dots', 'The parts are signed without dots.', hmac(key, id + timestamp + body)],
    [
      'secret-as-text',
      'The text of the secret is the key, not what its base64 stands for.',
      hmac(Buffer.from(inputs.secret), content),
    ],
    ['empty-key', 'The key is empty.', hmac(Buffer.alloc(0), content)],
    ['sha-512', 'The hash is SHA-512.', hmac(key, content, 'sha512')],
    ['sha-1', 'The hash is SHA-1.', hmac(key, content, 'sha1')],
    [
      'hash-without-key',
      'It is a hash that anyone can compute.',
      createHash('sha256').update(content).digest('base64'),
    ],
  ];
  return rows.map(([name, reason, value]) => [name, 'NO_MATCH', reason, writer.withSignature(`v1,${value}`)]);
}

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}

const FLAWS: Readonly<Record<Flaw, (writer: DeliveryWriter) => RejectedRow[]>> = {
  changed: changedRows,
  time: timeRows,
  header: headerRows,
  written: writtenRows,
  wrong: wrongRows,
  content: contentRows,
};
