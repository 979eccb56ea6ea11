import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  checkSecret,
  createWebhookReceiver,
  type RawBody,
  type SignatureScheme,
  signWebhook,
  verifyWebhook,
  WebhookError,
  type WebhookErrorCode,
} from '../../client/src/webhooks.ts';
import { webhookExamples } from '../../generated/examples.ts';
import type { WebhookPayload } from '../../generated/types.ts';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const NOW = Date.UTC(2026, 2, 2, 9);
const now = () => NOW;
const PAID: WebhookPayload = webhookExamples.paymentSucceeded.succeeded;
const EVENTS = Object.entries(webhookExamples).flatMap(([name, examples]) =>
  Object.entries(examples).map(([example, body]): [string, string, WebhookPayload] => [name, example, body]),
);

const signed = (options: Partial<Parameters<typeof signWebhook>[0]> = {}) =>
  signWebhook({ body: PAID, secret: SECRET, sentAt: NOW, id: 'evt_1', ...options });

/** The code of the promise's rejection. */
async function readCode(promise: Promise<unknown>): Promise<WebhookErrorCode | unknown> {
  const error = await promise.catch((thrown: unknown) => thrown);
  return error instanceof WebhookError ? error.code : error;
}

describe('an event', () => {
  it.each(EVENTS)('%s, %s, is verified, with its kind and status', async (name, _example, body) => {
    const delivery = await signed({ body });
    const event = await verifyWebhook({ ...delivery, secret: SECRET, now });
    const kind = name.startsWith('payment') ? 'payment' : 'payout';
    expect(event).toEqual({ kind, name, status: body.status, id: 'evt_1', sentAt: new Date(NOW), data: body });
  });

  it.each<[string, (text: string) => RawBody]>([
    ['text', (text) => text],
    ['a Buffer', (text) => Buffer.from(text)],
    ['a view into a larger buffer', (text) => Buffer.from(`xx${text}xx`).subarray(2, -2)],
    ['an ArrayBuffer', (text) => new TextEncoder().encode(text).buffer],
    ['a stream of a Fetch request', (text) => new Blob([text]).stream()],
    ["Node's stream", (text) => Readable.from([Buffer.from(text).subarray(0, 9), Buffer.from(text).subarray(9)])],
    [
      'an ArrayBuffer of another realm',
      (text) => runInNewContext('Uint8Array.from(bytes).buffer', { bytes: Buffer.from(text) }),
    ],
  ])('is verified as %s', async (_name, form) => {
    const delivery = await signed({ body: '{"status":"SUCCESS","transaction_id":"₹","payment_method":"UPI_IN"}' });
    const event = await verifyWebhook({ ...delivery, body: form(delivery.body), secret: SECRET, now });
    expect(event.data.transaction_id).toBe('₹');
  });

  it.each<[string, (headers: Record<string, string>) => Parameters<typeof verifyWebhook>[0]['headers']]>([
    ['Headers', (headers) => new Headers(headers)],
    [
      'lists of values',
      ({ 'X-Gateway-Signature': signature = '', ...headers }) => ({
        ...Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, [v]])),
        'X-Gateway-Signature': ['v1,AAAA', signature],
      }),
    ],
    ['missing values among the headers', (headers) => ({ ...headers, cookie: undefined })],
  ])('is verified with %s', async (_name, form) => {
    const { body, headers } = await signed();
    expect((await verifyWebhook({ body, headers: form(headers), secret: SECRET, now })).id).toBe('evt_1');
  });

  it('is verified with another tolerance', async () => {
    const late = await signed({ sentAt: NOW - 3_600_000 });
    expect(await verifyWebhook({ ...late, secret: SECRET, now, toleranceSeconds: 3_600 })).toBeDefined();
  });
});

describe('verification refuses', () => {
  const other = (changes: object) => JSON.stringify({ ...PAID, ...changes });

  it.each<[string, WebhookErrorCode, changes: object]>([
    ['a parsed body', 'BODY_NOT_RAW', { body: PAID }],
    ['no body', 'BODY_NOT_RAW', { body: undefined }],
    ['a body of more than 1 MiB', 'BODY_TOO_LARGE', { body: Buffer.alloc(1_048_577) }],
    ['any age while the tolerance is 0', 'TIMESTAMP_STALE', { now: () => NOW + 1_000, toleranceSeconds: 0 }],
    ['any time while the tolerance is NaN', 'TIMESTAMP_STALE', { toleranceSeconds: Number.NaN }],
    ['a secret that is not base64', 'SECRET_INVALID', { secret: 'whsec_§' }],
    ['an empty secret', 'SECRET_INVALID', { secret: '' }],
    ['a secret that is not set', 'SECRET_INVALID', { secret: undefined }],
    ['an API key as secret', 'SECRET_INVALID', { secret: 'sk_test_1' }],
    ['a second secret that is not set', 'SECRET_INVALID', { secret: [SECRET, ''] }],
    ['no secrets', 'SECRET_INVALID', { secret: [] }],
  ])('%s with %s', async (_name, code, changes) => {
    const options = { ...(await signed()), secret: SECRET, now, ...changes };
    expect(await readCode(verifyWebhook(options))).toBe(code);
  });

  it.each<[string, WebhookErrorCode, body: string]>([
    ['a body that is not JSON', 'BODY_NOT_JSON', 'status=SUCCESS'],
    ['an unknown status', 'UNKNOWN_EVENT', other({ status: 'REFUNDED' })],
    ['a status that no webhook reports', 'UNKNOWN_EVENT', other({ status: 'CREATED' })],
    ['a body that is null', 'UNKNOWN_EVENT', 'null'],
    ['a body without an ID', 'UNKNOWN_EVENT', '{"status":"SUCCESS"}'],
  ])('%s with %s', async (_name, code, body) => {
    expect(await readCode(verifyWebhook({ ...(await signed({ body })), secret: SECRET, now }))).toBe(code);
  });

  it.each([
    ['a signature that is not base64', () => 'v1,§§§'],
    ['more signatures than a rotation needs', (signature: string) => `${'v1,AAAA '.repeat(8)}${signature}`],
  ])('%s', async (_name, change) => {
    const { body, headers } = await signed();
    const changed = { ...headers, 'X-Gateway-Signature': change(String(headers['X-Gateway-Signature'])) };
    expect(await readCode(verifyWebhook({ body, headers: changed, secret: SECRET, now }))).toBe('NO_MATCH');
  });

  it.each([
    [-301_000, 'The timestamp is 301 s old; 300 s are allowed'],
    [301_000, "The timestamp is 301 s ahead of this machine's clock; 300 s are allowed"],
  ])('a timestamp that differs by %d ms with its direction', async (ms, message) => {
    const refused = verifyWebhook({ ...(await signed({ sentAt: NOW + ms })), secret: SECRET, now });
    await expect(refused).rejects.toThrow(message);
  });

  it('forged headers without quoting them', async () => {
    const { body, headers } = await signed();
    const forged = { ...headers, 'webhook-timestamp': '\x9b31m' };
    const error = await verifyWebhook({ body, headers: forged, secret: SECRET, now }).catch(String);
    expect(error).toContain('The timestamp is not an integer');
    expect(error).not.toContain('\x9b');
  });

  it('a stream as soon as it exceeds 1 MiB', async () => {
    const { headers } = await signed();
    let chunks = 0;
    async function* endless() {
      for (;;) yield new Uint8Array(++chunks && 65_536);
    }
    expect(await readCode(verifyWebhook({ body: endless(), headers, secret: SECRET, now }))).toBe('BODY_TOO_LARGE');
    expect(chunks).toBe(17);
  });
});

describe('an invalid secret', () => {
  it.each([
    ['a line break at the end', `${SECRET}\n`, /has a line break/],
    ['a line break within', 'whsec_QUJD\r\nREVG', /has a line break/],
    ['a character that is not base64', 'whsec_SECRET₹', /not base64/],
    ['lone surrogates', 'whsec_SECRET\ud800', /not base64/],
  ])('with %s is refused and never quoted', async (_what, secret, message) => {
    const delivery = await signed();
    const attempts = [
      signed({ secret }),
      signed({ secret: [SECRET, secret] }),
      verifyWebhook({ ...delivery, secret, now }),
      verifyWebhook({ ...delivery, secret: [secret, SECRET], now }),
    ];
    for (const attempt of attempts) {
      const error = await attempt.catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'SECRET_INVALID', message: expect.stringMatching(message) });
      expect(`${error} ${(error as Error).stack} ${(error as Error).cause}`).not.toContain(secret.slice(0, 12));
    }
  });

  it('in plain text with a line break is refused', async () => {
    const options = { secret: 'hunter2\n', scheme: { secret: 'text' } } as const;
    const error = await signWebhook({ body: PAID, ...options }).catch(String);
    expect(error).toContain('has a line break');
    expect(error).not.toContain('hunter2');
  });
});

it.each([
  ['missing', undefined, 'The signing secret is missing. Pass the signing secret, whsec_…; is WEBHOOK_SECRET set?'],
  ['empty', '', 'The signing secret is missing'],
  ['an empty list', [], 'The signing secret is missing'],
  ['an API key', 'sk_test_1', 'The signing secret is an API key'],
  ['malformed', 'whsec_§', 'is not base64'],
])('a receiver is not created if its secret is %s', (_name, secret, message) => {
  expect(() => createWebhookReceiver({ secret, apply: () => {} })).toThrow(message);
  expect(() => checkSecret({ secret })).toThrow(message);
});

describe('another scheme', () => {
  const plain: Partial<SignatureScheme> = { content: 'body', encoding: 'hex', prefix: 'sha256=', secret: 'text' };

  it.each<[string, Partial<SignatureScheme>]>([
    ['the body alone in hex', plain],
    ['time and body', { content: 'timestamp.body', timestampHeader: 'x-time' }],
    ['SHA-512', { hash: 'SHA-512' }],
  ])('signs and verifies %s', async (_name, scheme) => {
    const options = { secret: 'c2VjcmV0', header: 'X-Acme-Signature', scheme };
    const delivery = await signWebhook({ body: PAID, sentAt: NOW, ...options });
    expect(delivery.headers).toHaveProperty('X-Acme-Signature');
    expect((await verifyWebhook({ ...delivery, ...options, now })).status).toBe('SUCCESS');
  });

  it('verifies signatures of another implementation, and refuses a body that is not UTF-8', async () => {
    const verify = (body: string | Buffer) => {
      const signature = `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`;
      return verifyWebhook({ body, headers: { 'x-sig': signature }, secret: 'secret', header: 'X-Sig', scheme: plain });
    };
    const event = await verify(JSON.stringify(PAID));
    expect(event).toMatchObject({ id: `${PAID.transaction_id}.SUCCESS`, sentAt: undefined });
    const latin = Buffer.from(JSON.stringify({ ...PAID, transaction_id: '\xff' }), 'latin1');
    expect(await readCode(verify(latin))).toBe('BODY_NOT_JSON');
  });

  it('identifies two requests for data by their items without an event ID', async () => {
    const options = { secret: 'secret', scheme: plain };
    const ids = [['name'], ['email']].map(async (clarify) => {
      const body = { ...webhookExamples.paymentExtraDataNeeded['extra-data-needed'], clarify };
      return (await verifyWebhook({ ...(await signWebhook({ body, ...options })), ...options })).id;
    });
    expect(new Set(await Promise.all(ids)).size).toBe(2);
  });
});
