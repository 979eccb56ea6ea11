/** A wrong signature is explained, without the secret. */
import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { knownMistake, signatureMistakes } from '../../conformance/src/receiver/signature.ts';
import type { ReceivedDelivery } from '../../conformance/src/service/exchange.ts';
import { contract } from './report/synthetic.ts';

const KEY = Buffer.alloc(24, 5);
const SECRET = `whsec_${KEY.toString('base64')}`;
const TEXT = '{"transaction_id":"pay_1","status":"SUCCESS"}';
const [ID, TIMESTAMP] = ['evt_1', '1795440260'];
const CONTENT = `${ID}.${TIMESTAMP}.${TEXT}`;

const hmac = (content: string, key: Buffer = KEY) => createHmac('sha256', key).update(content).digest('base64');

/** A delivery with the signature in both headers. */
function signed(value: string, timestamp = TIMESTAMP): ReceivedDelivery {
  const headers = { 'webhook-id': ID, 'webhook-timestamp': timestamp };
  return {
    ...{ number: 1, token: 'a', method: 'POST', query: '', text: TEXT, receivedAt: 0, reply: 204 },
    headers: { ...headers, 'x-shop-signature': value, 'webhook-signature': value },
    body: JSON.parse(TEXT),
  };
}

it('a signature is one mistake in both headers, shown with the right signature and the signed text', async () => {
  const mistakes = await signatureMistakes(signed('v1,AAAA'), SECRET);
  const expected = `"v1,${hmac(CONTENT)}", the HMAC-SHA256 of "${ID}.${TIMESTAMP}." and the body`;
  expect(mistakes).toEqual([{ header: 'x-shop-signature', expected, found: 'v1,AAAA' }]);
  expect(JSON.stringify(mistakes)).not.toContain(SECRET.slice('whsec_'.length));
});

it.each([
  ['of the body alone', `v1,${hmac(TEXT)}`, 'Only the body is signed'],
  ['with the text of the secret', `v1,${hmac(CONTENT, Buffer.from(SECRET))}`, 'The text of the secret'],
  ['without a version', hmac(CONTENT), 'The version is missing.'],
])('a signature %s is a known mistake', (_name, found, reason) => {
  expect(knownMistake(contract.bundle, signed(found), SECRET, found)).toContain(reason);
});

it('recognizes no mistake in any other value, nor with a timestamp of another form', () => {
  const alone = `v1,${hmac(TEXT)}`;
  expect(knownMistake(contract.bundle, signed('v1,AAAA'), SECRET, 'v1,AAAA')).toBeUndefined();
  expect(knownMistake(contract.bundle, signed(alone, 'yesterday'), SECRET, alone)).toBeUndefined();
});
