/** Webhooks whose headers are wrong: unsigned, signed differently, or with another id or time. */
import { createHmac, randomUUID } from 'node:crypto';
import type { Defect } from '../trial.ts';
import { delivering, row, type Where } from './build.ts';

const EVERY: Where = {};

type Headers = Record<string, string>;

const inLowerCase = (valid: Headers) =>
  Object.fromEntries(Object.entries(valid).map(([name, value]) => [name.toLowerCase(), value]));

/** Headers that differ from the valid ones. */
function headers(
  id: string,
  foundBy: string,
  change: (valid: Headers, text: string) => Headers,
  verdict: Defect['verdict'] = 'differs',
): Defect {
  return delivering(row(`webhooks/signature/${id}`, foundBy, verdict), EVERY, (webhook) => {
    const valid = webhook.headers;
    webhook.headers = (signed) => change(inLowerCase(valid(signed)), signed.text);
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
  headers('no-type', 'webhook/shape', dropped(['content-type'])),
  headers('text', 'webhook/shape', (valid) => ({
    ...valid,
    'content-type': 'text/plain',
  })),
  headers('none', 'webhook/branded-signature', dropped(SIGNATURES), 'violating'),
  headers('not-branded', 'webhook/branded-signature', dropped([BRANDED]), 'violating'),
  headers(
    'misnamed',
    'webhook/branded-signature',
    (valid) => ({ ...dropped(SIGNATURES)(valid), 'x-signature': valid[BRANDED] ?? '' }),
    'violating',
  ),
  headers(
    'empty',
    'webhook/signature',
    replaceSignatures(() => ''),
  ),
  headers(
    'random',
    'webhook/signature',
    replaceSignatures(() => `v1,${hmac(randomUUID())}`),
  ),
  headers(
    'constant',
    'webhook/signature',
    replaceSignatures(() => `v1,${hmac('constant')}`),
  ),
  headers(
    'other-key',
    'webhook/signature',
    replaceSignatures((valid, text) => `v1,${hmac(`${valid['webhook-id']}.${valid['webhook-timestamp']}.${text}`)}`),
  ),
  headers(
    'unversioned',
    'webhook/signature',
    replaceSignatures((valid) => String(valid[BRANDED]).slice(3)),
  ),
  headers(
    'in-hex',
    'webhook/signature',
    replaceSignatures((valid) => `v1,${Buffer.from(String(valid[BRANDED]).slice(3), 'base64').toString('hex')}`),
  ),
  headers(
    'truncated',
    'webhook/signature',
    replaceSignatures((valid) => String(valid[BRANDED]).slice(0, 20)),
  ),
  headers('stale', 'webhook/timestamp', ageHeaders(3_600)),
  headers('in-the-future', 'webhook/timestamp', ageHeaders(-3_600)),
  headers('in-milliseconds', 'webhook/timestamp', (valid) => ({
    ...valid,
    'webhook-timestamp': `${valid['webhook-timestamp']}000`,
  })),
  headers('no-timestamp', 'webhook/signature', dropped(['webhook-timestamp'])),
  headers('no-id', 'webhook/signature', dropped(['webhook-id'])),
  delivering(row('webhooks/signature/other-content', 'webhook/signature', 'differs'), EVERY, (webhook) => {
    const valid = webhook.headers;
    webhook.headers = (signed) => valid({ ...signed, text: `${signed.text} ` });
  }),
];
