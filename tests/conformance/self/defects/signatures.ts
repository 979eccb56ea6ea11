/** Webhooks whose headers are wrong: unsigned, signed differently, or with another id or time. */
import { createHmac, randomUUID } from 'node:crypto';
import type { Defect } from '../trial.ts';
import { delivering, type Where } from './build.ts';

const EVERY: Where = {};
const DIFFERS = { verdict: 'differs' } as const;

type Headers = Record<string, string>;

const inLowerCase = (valid: Headers) =>
  Object.fromEntries(Object.entries(valid).map(([name, value]) => [name.toLowerCase(), value]));

/** Headers that differ from the valid ones. */
function headers(
  id: string,
  title: string,
  foundBy: string,
  change: (valid: Headers, text: string) => Headers,
  verdict: Defect['verdict'] = 'differs',
): Defect {
  return delivering({ id: `webhooks/signature/${id}`, title, foundBy, verdict }, EVERY, (webhook) => {
    const valid = webhook.headers;
    webhook.headers = (signed) => change(inLowerCase(valid(signed)), signed.text);
    return undefined;
  });
}

const BRANDED = 'x-gateway-signature';
const SIGNATURES = [BRANDED, 'webhook-signature'];
const replaceSignatures = (sign: (valid: Headers, text: string) => string) => (valid: Headers, text: string) => ({
  ...valid,
  ...Object.fromEntries(SIGNATURES.map((name) => [name, sign(valid, text)])),
});
const hmac = (content: string, key = 'another key') => createHmac('sha256', key).update(content).digest('base64');
const dropped = (names: readonly string[]) => (valid: Headers) =>
  Object.fromEntries(Object.entries(valid).filter(([name]) => !names.includes(name)));
const ageHeaders = (seconds: number) => (valid: Headers, text: string) => {
  const timestamp = String(Number(valid['webhook-timestamp']) - seconds);
  return { ...valid, 'webhook-timestamp': timestamp, 'x-length': String(text.length) };
};

export const signatures: readonly Defect[] = [
  headers('no-type', 'webhooks have no media type', 'webhook/shape', dropped(['content-type'])),
  headers('text', 'webhooks are plain text by their media type', 'webhook/shape', (valid) => ({
    ...valid,
    'content-type': 'text/plain',
  })),
  headers('none', 'webhooks are unsigned', 'webhook/branded-signature', dropped(SIGNATURES), 'violating'),
  headers(
    'not-branded',
    'webhooks have no X-<BRAND>-Signature',
    'webhook/branded-signature',
    dropped([BRANDED]),
    'violating',
  ),
  headers(
    'misnamed',
    'the header is X-Signature',
    'webhook/branded-signature',
    (valid) => ({ ...dropped(SIGNATURES)(valid), 'x-signature': valid[BRANDED] ?? '' }),
    'violating',
  ),
  headers(
    'empty',
    'the signature is empty',
    'webhook/signature',
    replaceSignatures(() => ''),
  ),
  headers(
    'random',
    'the signature is random',
    'webhook/signature',
    replaceSignatures(() => `v1,${hmac(randomUUID())}`),
  ),
  headers(
    'constant',
    'the signature is the same for every webhook',
    'webhook/signature',
    replaceSignatures(() => `v1,${hmac('constant')}`),
  ),
  headers(
    'other-key',
    'webhooks are signed with another key',
    'webhook/signature',
    replaceSignatures((valid, text) => `v1,${hmac(`${valid['webhook-id']}.${valid['webhook-timestamp']}.${text}`)}`),
  ),
  headers(
    'unversioned',
    'the signature has no v1',
    'webhook/signature',
    replaceSignatures((valid) => String(valid[BRANDED]).slice(3)),
  ),
  headers(
    'in-hex',
    'the signature is in hex',
    'webhook/signature',
    replaceSignatures((valid) => `v1,${Buffer.from(String(valid[BRANDED]).slice(3), 'base64').toString('hex')}`),
  ),
  headers(
    'truncated',
    'the signature is truncated',
    'webhook/signature',
    replaceSignatures((valid) => String(valid[BRANDED]).slice(0, 20)),
  ),
  headers('stale', 'the timestamp is an hour old', 'webhook/timestamp', ageHeaders(3_600)),
  headers('in-the-future', 'the timestamp is in an hour', 'webhook/timestamp', ageHeaders(-3_600)),
  headers('in-milliseconds', 'the timestamp is in milliseconds', 'webhook/timestamp', (valid) => ({
    ...valid,
    'webhook-timestamp': `${valid['webhook-timestamp']}000`,
  })),
  headers('no-timestamp', 'webhooks have no timestamp', 'webhook/signature', dropped(['webhook-timestamp'])),
  headers('no-id', 'webhooks have no id', 'webhook/signature', dropped(['webhook-id'])),
  delivering(
    {
      id: 'webhooks/signature/other-content',
      title: 'the body is changed after it was signed',
      foundBy: 'webhook/signature',
      ...DIFFERS,
    },
    EVERY,
    (webhook) => {
      const valid = webhook.headers;
      webhook.headers = (signed) => valid({ ...signed, text: `${signed.text} ` });
      return undefined;
    },
  ),
];
