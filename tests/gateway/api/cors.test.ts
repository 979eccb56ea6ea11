/** Pages of other origins can call the API only if a setting names them. */
import { describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../harness.ts';

const SHOP = 'http://localhost:5173';
const OTHER = 'https://other.example';

function start(corsOrigins: readonly string[] = []): Promise<TestGateway> {
  return startTestGateway({ network: { corsOrigins } });
}

function preflight({ call }: TestGateway, origin: string, asked = 'authorization,content-type') {
  return call('OPTIONS', '/payments', undefined, {
    authorization: undefined,
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': asked,
  });
}

const corsHeaders = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('without the setting', () => {
  it('no response allows a page to read it, and a preflight is not found', async () => {
    const test = await start();
    const asked = await preflight(test, SHOP);
    expect(asked.status).toBe(404);
    expect(corsHeaders(asked.headers)).toEqual([]);
    const { headers } = await test.call('GET', '/merchant/balance', undefined, { origin: SHOP });
    expect(corsHeaders(headers)).toEqual([]);
    expect(headers['vary']).toBeUndefined();
  });
});

describe('an allowed origin', () => {
  it('gets a preflight response for every method with the requested headers', async () => {
    const test = await start([SHOP, 'https://app.example.com']);
    const { status, headers, text } = await preflight(test, SHOP);
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect(headers).toMatchObject({
      'access-control-allow-origin': SHOP,
      'access-control-allow-methods': 'GET,POST,PUT,PATCH,DELETE',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Headers',
    });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('may send tracing headers', async () => {
    const { headers } = await preflight(await start([SHOP]), SHOP, 'authorization, traceparent, sentry-trace, baggage');
    expect(headers['access-control-allow-headers']).toBe('authorization,traceparent,sentry-trace,baggage');
  });

  it.each([
    ['a success', '/merchant/balance', {}, 200],
    ['a bad key', '/merchant/balance', { authorization: 'Bearer sk_test_unknown' }, 401],
    ['what is not found', '/nothing', {}, 404],
  ])('reads %s, with its request id, Retry-After and Date', async (_what, path, more, expected) => {
    const { call } = await start([SHOP]);
    const { status, headers } = await call('GET', path, undefined, { origin: SHOP, ...more });
    expect(status).toBe(expected);
    expect(headers).toMatchObject({
      'access-control-allow-origin': SHOP,
      'access-control-expose-headers': 'date,retry-after,x-request-id',
    });
  });
});

describe('another origin', () => {
  it('is not allowed', async () => {
    const test = await start([SHOP]);
    expect((await preflight(test, OTHER)).headers['access-control-allow-origin']).toBeUndefined();
    const { headers } = await test.call('GET', '/merchant/balance', undefined, { origin: OTHER });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('is allowed by *', async () => {
    const test = await start(['*']);
    expect((await preflight(test, OTHER)).headers['access-control-allow-origin']).toBe('*');
    const { headers } = await test.call('GET', '/merchant/balance', undefined, { origin: OTHER });
    expect(headers['access-control-allow-origin']).toBe('*');
  });
});
