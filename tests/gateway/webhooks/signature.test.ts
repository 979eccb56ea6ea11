/** The headers of a webhook. tests/contract/webhook-vectors.test.ts tests their signatures. */
import { describe, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { readWireFormat, type Signed, signedHeaders, signingKey } from '../../../gateway/src/webhooks/signature.ts';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const EVENT: Signed = { id: 'evt_1', timestamp: 1_772_442_000, body: '{"status":"SUCCESS","note":"₹ 499.00"}' };

const bundle = readBundle();
const format = readWireFormat(bundle);

const headersOf = () => signedHeaders(format, EVENT, [signingKey(SECRET)]);

describe('the wire format', () => {
  it('has exactly the headers that the contract requires of a webhook', () => {
    const required = Object.values(bundle.components.parameters)
      .filter((parameter) => parameter.in === 'header')
      .map(({ name }) => name.toLowerCase());
    const sent = Object.keys(headersOf()).map((name) => name.toLowerCase());
    expect(sent.sort()).toEqual([...required, 'content-type'].sort());
  });

  it('has the same value in the branded header and the Standard Webhooks header', () => {
    const headers = headersOf();
    expect(format.signatures).toHaveLength(2);
    expect(new Set(format.signatures.map((name) => headers[name])).size).toBe(1);
  });

  it('follows the brand of the document', () => {
    const text = JSON.stringify(bundle).replaceAll(/X-\w+-Signature/g, 'X-Acme-Signature');
    expect(readWireFormat(JSON.parse(text)).signatures).toContain('X-Acme-Signature');
  });

  it('is refused if a webhook lacks the timestamp header', () => {
    const text = JSON.stringify(bundle).replaceAll('"webhook-timestamp"', '"webhook-time"');
    expect(() => readWireFormat(JSON.parse(text))).toThrow('needs headers for id, timestamp and signature');
  });
});
