import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { readWireFormat, type Signed, signedHeaders, signingKey } from '../../../gateway/src/webhooks/signature.ts';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const NOW = Date.UTC(2026, 2, 2, 9);
const EVENT: Signed = { id: 'evt_1', timestamp: NOW / 1_000, body: '{"status":"SUCCESS","note":"₹ 499.00"}' };

const bundle = readBundle();
const format = readWireFormat(bundle);

function headersOf(secrets: readonly string[], event: Signed = EVENT): Record<string, string> {
  return signedHeaders(format, event, secrets.map(signingKey));
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  return () => {
    vi.useRealTimers();
  };
});

describe('the signature of an event', () => {
  it('is verified by a Standard Webhooks library', () => {
    expect(new Webhook(SECRET).verify(EVENT.body, headersOf([SECRET]))).toEqual(JSON.parse(EVENT.body));
  });

  it.each([
    ['the new secret', SECRET],
    ['the old secret', OLD_SECRET],
  ])('is verified with %s during a rotation', (_name, secret) => {
    expect(new Webhook(secret).verify(EVENT.body, headersOf([SECRET, OLD_SECRET]))).toBeTruthy();
  });

  it('has one value for each valid secret', () => {
    const values = headersOf([SECRET, OLD_SECRET])[format.signatures[0] ?? '']?.split(' ');
    expect(values).toHaveLength(2);
    for (const value of values ?? []) expect(value).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
  });

  it('is not verified with another secret', () => {
    expect(() => new Webhook(OLD_SECRET).verify(EVENT.body, headersOf([SECRET]))).toThrow('No matching signature');
  });

  it('is not verified when one byte of the body has changed', () => {
    const changed = EVENT.body.replace('499.00', '499.01');
    expect(() => new Webhook(SECRET).verify(changed, headersOf([SECRET]))).toThrow('No matching signature');
  });

  it.each(['id', 'timestamp'] as const)('is not verified when the %s has changed', (part) => {
    const changed = { ...headersOf([SECRET]), [format[part]]: String(EVENT.timestamp + 1) };
    expect(() => new Webhook(SECRET).verify(EVENT.body, changed)).toThrow('No matching signature');
  });

  it('is not verified more than five minutes later', () => {
    vi.setSystemTime(NOW + 5 * 60_000 + 2_000);
    expect(() => new Webhook(SECRET).verify(EVENT.body, headersOf([SECRET]))).toThrow('timestamp too old');
  });
});

describe('the wire format', () => {
  it('has exactly the headers that the contract requires of a webhook', () => {
    const required = Object.values(bundle.components.parameters)
      .filter((parameter) => parameter.in === 'header')
      .map(({ name }) => name.toLowerCase());
    const sent = Object.keys(headersOf([SECRET])).map((name) => name.toLowerCase());
    expect(sent.sort()).toEqual([...required, 'content-type'].sort());
  });

  it('carries the same value in the branded header as in the one of Standard Webhooks', () => {
    const headers = headersOf([SECRET]);
    expect(format.signatures).toHaveLength(2);
    expect(new Set(format.signatures.map((name) => headers[name])).size).toBe(1);
  });

  it('follows the brand of the document', () => {
    const text = JSON.stringify(bundle).replaceAll(/X-\w+-Signature/g, 'X-Acme-Signature');
    expect(readWireFormat(JSON.parse(text)).signatures).toContain('X-Acme-Signature');
  });

  it('is refused when a webhook lacks the header of the timestamp', () => {
    const text = JSON.stringify(bundle).replaceAll('"webhook-timestamp"', '"webhook-time"');
    expect(() => readWireFormat(JSON.parse(text))).toThrow('needs headers for id, timestamp and signature');
  });
});
