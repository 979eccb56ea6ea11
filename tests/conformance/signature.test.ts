/** A wrong signature is explained, without the secret. */
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { knownMistake, signatureMistakes } from '../../conformance/src/receiver/signature.ts';
import type { ReceivedDelivery } from '../../conformance/src/service/exchange.ts';
import { readBundle } from '../../contract/src/model.ts';

const KEY = Buffer.alloc(24, 5);
const SECRET = `whsec_${KEY.toString('base64')}`;
const TEXT = '{"transaction_id":"pay_1","status":"SUCCESS"}';
const [ID, TIMESTAMP] = ['evt_1', '1795440260'];

const hmac = (content: string, key: Buffer = KEY) => createHmac('sha256', key).update(content).digest('base64');
const RIGHT = `v1,${hmac(`${ID}.${TIMESTAMP}.${TEXT}`)}`;

const delivery = (headers: Record<string, string>, text = TEXT): ReceivedDelivery => ({
  ...{ number: 1, token: 'a', method: 'POST', query: '', text, receivedAt: 0, reply: 204 },
  headers: { 'webhook-id': ID, 'webhook-timestamp': TIMESTAMP, ...headers },
  body: JSON.parse(text),
});
const signed = (value: string) => delivery({ 'x-shop-signature': value, 'webhook-signature': value });

describe('a signature', () => {
  it('is one mistake in both headers, shown with the right signature and the signed text', async () => {
    const mistakes = await signatureMistakes(signed('v1,AAAA'), SECRET);
    const expected = `"${RIGHT}", the HMAC-SHA256 of "${ID}.${TIMESTAMP}." and the body`;
    expect(mistakes).toEqual([{ header: 'x-shop-signature', expected, found: 'v1,AAAA' }]);
    expect(JSON.stringify(mistakes)).not.toContain(SECRET.slice('whsec_'.length));
  });
});

describe('a known mistake', () => {
  it.each([
    ['of the body alone', `v1,${hmac(TEXT)}`, 'Only the body is signed'],
    [
      'with the text of the secret',
      `v1,${hmac(`${ID}.${TIMESTAMP}.${TEXT}`, Buffer.from(SECRET))}`,
      'The text of the secret',
    ],
    ['without a version', RIGHT.slice('v1,'.length), 'The version is missing.'],
  ])('is a signature %s', (_name, found, reason) => {
    expect(knownMistake(readBundle(), signed(found), SECRET, found)).toContain(reason);
  });

  it('is not seen in any other value, nor in a timestamp of another form', () => {
    expect(knownMistake(readBundle(), signed('v1,AAAA'), SECRET, 'v1,AAAA')).toBeUndefined();
    const early = delivery({ 'webhook-timestamp': 'yesterday' });
    expect(knownMistake(readBundle(), early, SECRET, `v1,${hmac(TEXT)}`)).toBeUndefined();
  });
});
