/**
 * Test vectors of the webhook signature: the contract's examples, signed with fixed secrets at a fixed time, and what
 * must be rejected. Signed here from the wording of the assumption `signature`, without the code that is tested on them.
 */
import { createHash, createHmac } from 'node:crypto';
import { type Bundle, type Operation, webhooks } from '../../contract/src/model.ts';
import type { ValidWebhookVector, VectorErrorCode, WebhookVectors } from '../../contract/src/webhook-vectors.ts';
import { type HeaderNames, readHeaderNames } from './webhook-headers.ts';

const ABOUT =
  'Signed webhooks to test a verification on. With `secret` at the time `now`, accept each of `valid` and reject each of `invalid`.';

const NOW = Date.UTC(2026, 2, 2, 9, 4) / 1_000;
const TOLERANCE_SECONDS = 300;

const CURRENT = secretOf('the current secret of this shop!');
const PREVIOUS = secretOf('its previous one, being replaced');
const FOREIGN = secretOf('the secret of another merchant..');

interface Event {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string;
}

interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type ValidRow = readonly [name: string, summary: string, delivery: Delivery, secret?: string, signers?: string[]];
type InvalidRow = readonly [name: string, code: VectorErrorCode, reason: string, delivery: Delivery];

/** generated/webhook-vectors.json. */
export function webhookVectorsArtifact(bundle: Bundle): string {
  const all = webhooks(bundle);
  const writer = new Writer(readHeaderNames(bundle), exampleOf(all, 'paymentSucceeded'));
  const valid = [...eventRows(writer, all), ...formRows(writer), ...rotationRows(writer)];
  const invalid = [
    ...changedRows(writer),
    ...timeRows(writer),
    ...headerRows(writer),
    ...signatureRows(writer),
    ...contentRows(writer),
  ];
  const vectors: WebhookVectors = {
    ...{ about: ABOUT, now: NOW, tolerance_seconds: TOLERANCE_SECONDS },
    valid: valid.map(
      ([name, summary, delivery, secret = CURRENT, signers = [secret]]): ValidWebhookVector => ({
        ...{ name, summary, secret, signed_with: signers, ...delivery },
      }),
    ),
    invalid: invalid.map(([name, code, reason, delivery]) => ({ name, reason, code, secret: CURRENT, ...delivery })),
  };
  return `${JSON.stringify(vectors, null, 2)}\n`;
}

/** Writes deliveries of one event. Each vector changes what it is about. */
class Writer {
  readonly names: HeaderNames;
  readonly event: Event;

  constructor(names: HeaderNames, body: string) {
    this.names = names;
    this.event = { id: 'evt_01KJPX0M5E8T2VQ4R7S9W1Y3ZA', timestamp: String(NOW - 1), body };
  }

  /** The event with changes made before it is signed. */
  signed(changes: Partial<Event> = {}, ...secrets: string[]): Delivery {
    const event = { ...this.event, ...changes };
    const signers = secrets.length > 0 ? secrets : [CURRENT];
    return this.written(event, signers.map((secret) => signatureOf(event, secret)).join(' '));
  }

  /** The event with its signature, and changes made afterwards. */
  changed(changes: Partial<Event>): Delivery {
    return this.written({ ...this.event, ...changes }, signatureOf(this.event, CURRENT));
  }

  /** The event with the value in its signature headers. */
  withSignature(value: string): Delivery {
    return this.written(this.event, value);
  }

  /** The event without the headers. */
  without(...names: string[]): Delivery {
    const { headers, body } = this.signed();
    return { headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))), body };
  }

  written({ id, timestamp, body }: Event, signature: string): Delivery {
    const { names } = this;
    const signatures = Object.fromEntries(names.signatures.map((name) => [name, signature]));
    const headers = { 'content-type': 'application/json', [names.id]: id, [names.timestamp]: timestamp, ...signatures };
    return { headers, body };
  }
}

function eventRows(writer: Writer, all: readonly Operation[]): ValidRow[] {
  return all.map(({ id, summary }, index) => {
    const event = { id: `evt_${id}_${index + 1}`, body: exampleOf(all, id) };
    return [`event-${id}`, `${summary}: the contract's example of ${id}.`, writer.signed(event)];
  });
}

/** Forms that an HTTP library, a proxy or a later version of the service may give a delivery. */
function formRows(writer: Writer): ValidRow[] {
  const { event, names } = writer;
  const [branded = '', standard = ''] = names.signatures;
  const right = signatureOf(event, CURRENT);
  const { headers, body } = writer.signed();
  const renamed = (change: (name: string) => string): Delivery => ({
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [change(name), value])),
    body,
  });
  const withField = `${body.slice(0, -1)},"note":"₹ 499.00 für Zoë 🎉"}`;
  return [
    ['branded-header-only', `The signature is only in ${branded}.`, writer.without(standard)],
    ['standard-header-only', `The signature is only in ${standard}.`, writer.without(branded)],
    ['lower-case-headers', 'Header names are in lower case, as HTTP/2 sends them.', renamed((n) => n.toLowerCase())],
    ['upper-case-headers', 'Header names are in upper case.', renamed((n) => n.toUpperCase())],
    ['repeated-delivery', 'The same event is delivered again, 4 s later.', writer.signed({ timestamp: `${NOW + 3}` })],
    ['oldest-timestamp', 'The timestamp is 299 s ago.', writer.signed({ timestamp: `${NOW - 299}` })],
    ['latest-timestamp', 'The timestamp is 299 s ahead.', writer.signed({ timestamp: `${NOW + 299}` })],
    [
      'unknown-field',
      'The body has a field that the contract lacks, and not only ASCII.',
      writer.signed({ body: withField }),
    ],
    [
      'escaped-characters',
      'The body has escapes that a JSON library would write as characters.',
      writer.signed({ body: withField.replace('ü', '\\u00fc').replace('₹', '\\u20b9') }),
    ],
    [
      'indented-body',
      'The body is indented and ends with a line break.',
      writer.signed({ body: `${indented(body)}\n` }),
    ],
    [
      'unknown-version-first',
      'A signature of an unknown version comes before the right one.',
      writer.withSignature(`v2,${right.slice('v1,'.length)} ${right}`),
    ],
    [
      'wrong-signature-first',
      'A signature of another secret comes before the right one.',
      writer.withSignature(`${signatureOf(event, FOREIGN)} ${right}`),
    ],
    ['joined-by-comma', 'A proxy has joined two headers with a comma.', writer.withSignature(`v1,AAAA, ${right}`)],
    ['several-spaces', 'Several spaces separate the signatures.', writer.withSignature(`v1,AAAA   ${right}`)],
  ];
}

function rotationRows(writer: Writer): ValidRow[] {
  const both = [CURRENT, PREVIOUS];
  const delivery = writer.signed({}, ...both);
  return [
    ['rotation-new-secret', 'Signed with two secrets; the receiver has the new one.', delivery, CURRENT, both],
    ['rotation-old-secret', 'Signed with two secrets; the receiver has the old one.', delivery, PREVIOUS, both],
  ];
}

/** What was signed has been changed on the way. */
function changedRows(writer: Writer): InvalidRow[] {
  const { id, timestamp, body } = writer.event;
  const data = JSON.parse(body) as object;
  const reversed = JSON.stringify(Object.fromEntries(Object.entries(data).reverse()));
  const rows: [string, string, Partial<Event>][] = [
    ['altered-body', 'One byte of the body was changed.', { body: body.replace('49900', '49901') }],
    ['altered-status', 'The status in the body was changed.', { body: body.replace('SUCCESS', 'FAILED') }],
    ['altered-id', 'The id is not the one that was signed.', { id: `${id.slice(0, -1)}B` }],
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
function timeRows(writer: Writer): InvalidRow[] {
  const at = (timestamp: number | string) => writer.signed({ timestamp: String(timestamp) });
  return [
    ['stale', 'TIMESTAMP_STALE', 'The timestamp is 301 s ago: this may be a replay.', at(NOW - 301)],
    ['stale-by-a-year', 'TIMESTAMP_STALE', 'The timestamp is a year ago.', at(NOW - 365 * 86_400)],
    ['future', 'TIMESTAMP_STALE', 'The timestamp is 301 s ahead.', at(NOW + 301)],
    ['timestamp-in-milliseconds', 'TIMESTAMP_INVALID', 'The timestamp is not in seconds.', at(`${NOW}000`)],
    ['timestamp-as-date', 'TIMESTAMP_INVALID', 'The timestamp is a date.', at(new Date(NOW * 1_000).toISOString())],
    ['timestamp-with-fraction', 'TIMESTAMP_INVALID', 'The timestamp is not an integer.', at(`${NOW}.5`)],
    ['negative-timestamp', 'TIMESTAMP_INVALID', 'The timestamp is negative.', at(-NOW)],
  ];
}

/** A header is missing or empty. What remains is right. */
function headerRows(writer: Writer): InvalidRow[] {
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

/** The value of the signature header is written in another way. */
function signatureRows(writer: Writer): InvalidRow[] {
  const { event } = writer;
  const right = signatureOf(event, CURRENT);
  const encoded = right.slice('v1,'.length);
  const bytes = Buffer.from(encoded, 'base64');
  const altered = Buffer.from(bytes);
  altered[0] = (bytes[0] ?? 0) ^ 1;
  const rows: [string, string, string][] = [
    ['wrong-version', 'The version is v2.', `v2,${encoded}`],
    ['asymmetric-version', 'The version is that of signatures with a key pair.', `v1a,${encoded}`],
    ['upper-case-version', 'The version is in upper case.', `V1,${encoded}`],
    ['missing-version', 'The version is missing.', encoded],
    ['equals-sign', 'An equals sign separates version and signature.', `v1=${encoded}`],
    ['version-alone', 'There is nothing after the version.', 'v1,'],
    ['hex', 'The signature is hexadecimal, not base64.', `v1,${bytes.toString('hex')}`],
    ['altered-signature', 'One bit of the signature was changed.', `v1,${altered.toString('base64')}`],
    [
      'truncated-signature',
      'The signature has only its first 16 bytes.',
      `v1,${bytes.subarray(0, 16).toString('base64')}`,
    ],
    [
      'prolonged-signature',
      'A byte follows the signature.',
      `v1,${Buffer.concat([bytes, Buffer.of(0)]).toString('base64')}`,
    ],
    ['zero-signature', 'The signature consists of zeros.', `v1,${Buffer.alloc(32).toString('base64')}`],
    ['foreign-secret', 'It is signed with the secret of another merchant.', signatureOf(event, FOREIGN)],
    [
      'previous-secret',
      'It is signed with the previous secret alone, which the receiver no longer has.',
      signatureOf(event, PREVIOUS),
    ],
    [
      'two-wrong-signatures',
      'Neither of two signatures is right.',
      [FOREIGN, PREVIOUS].map((s) => signatureOf(event, s)).join(' '),
    ],
  ];
  return [
    ...rows.map(([name, reason, value]): InvalidRow => [name, 'NO_MATCH', reason, writer.withSignature(value)]),
    ['base64url', 'NO_MATCH', 'The signature is base64url, not base64.', inBase64url(writer)],
  ];
}

/** An event whose signature has both characters in which the alphabets differ. */
function inBase64url(writer: Writer): Delivery {
  for (let number = 1; ; number += 1) {
    const event = { ...writer.event, id: `evt_base64url_${number}` };
    const signature = signatureOf(event, CURRENT);
    if (!signature.includes('+') || !signature.includes('/')) continue;
    return writer.written(event, signature.replaceAll('+', '-').replaceAll('/', '_'));
  }
}

/** Something else was signed, or in another way. */
function contentRows(writer: Writer): InvalidRow[] {
  const { event } = writer;
  const { id, timestamp, body } = event;
  const content = contentOf(event);
  const hmac = (key: Buffer, text: string, hash = 'sha256') => createHmac(hash, key).update(text).digest('base64');
  const key = keyOf(CURRENT);
  const rows: [string, string, string][] = [
    ['body-alone', 'Only the body is signed, so id and time could be replaced.', hmac(key, body)],
    ['timestamp-and-body', 'The id is not signed.', hmac(key, `${timestamp}.${body}`)],
    ['id-and-body', 'The timestamp is not signed.', hmac(key, `${id}.${body}`)],
    ['swapped-parts', 'The timestamp is signed before the id.', hmac(key, `${timestamp}.${id}.${body}`)],
    ['missing-dots', 'The parts are signed without dots.', hmac(key, id + timestamp + body)],
    [
      'secret-as-text',
      'The text of the secret is the key, not what its base64 stands for.',
      hmac(Buffer.from(CURRENT), content),
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

function secretOf(bytes: string): string {
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice('whsec_'.length), 'base64');
}

function contentOf({ id, timestamp, body }: Event): string {
  return `${id}.${timestamp}.${body}`;
}

function signatureOf(event: Event, secret: string): string {
  return `v1,${createHmac('sha256', keyOf(secret)).update(contentOf(event)).digest('base64')}`;
}

function exampleOf(all: readonly Operation[], id: string): string {
  const example = all.find((webhook) => webhook.id === id)?.request?.examples[0];
  if (!example) throw new Error(`the webhook ${id} has no example`);
  return JSON.stringify(example.value);
}

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
