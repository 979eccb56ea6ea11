/** Host names of a gateway, against DNS rebinding, and origins of pages that may call it. */
import { describe, expect, it } from 'vitest';
import { DEFAULTS } from '../../../gateway/src/config/settings.ts';
import type { ProxyHeader } from '../../../gateway/src/platform/proxy-headers.ts';
import { startTestGateway, type TestGatewayOptions } from '../harness/gateway.ts';
import { inject } from '../harness/inject.ts';

async function start(options: TestGatewayOptions = {}) {
  const test = await startTestGateway({ sandbox: true, ...options });
  const statusOf = async (host: string, url = '/sandbox/test-data') =>
    (await test.call('GET', url, undefined, { host })).status;
  return { ...test, statusOf };
}

describe('a sandbox', () => {
  it('serves loopback names, and probes under any name', async () => {
    const { statusOf } = await start();
    for (const host of [
      ...['localhost:4000', 'LOCALHOST', 'localhost.:80', 'shop.localhost:4000', '127.0.0.1:4000', '127.8.9.10'],
      ...['[::1]:4000', '[0:0::1]'],
    ])
      expect(await statusOf(host), host).toBe(200);
    for (const url of ['/health/live', '/health/ready', '/metrics']) expect(await statusOf('gateway', url)).toBe(200);
  });

  it.each([
    ...['evil.example', 'evil.example:4000', 'localhost.evil.example', 'evil-localhost', '10.1.2.3', '[2001:db8::1]'],
    ...['127.0.0.1.evil.example', 'localhost@evil.example', 'evil.example/localhost', '0.0.0.0:4000', ':4000', '%6'],
  ])('refuses %s with a problem', async (host) => {
    const { call, statusOf } = await start();
    const refused = await call('GET', '/merchant/balance', undefined, { host });
    expect(refused).toMatchObject({ status: 421, body: { type: 'about:blank', title: 'Misdirected Request' } });
    expect(refused.body.detail).toContain('ALLOWED_HOSTS');
    expect(refused.headers['content-type']).toMatch(/^application\/problem\+json/);
    for (const url of ['/sandbox/test-data', '/console', '/checkout/x', '/nothing']) {
      expect(await statusOf(host, url), url).toBe(421);
    }
  });

  it('serves the names in its settings', async () => {
    const { statusOf } = await start({
      publicUrl: () => 'https://pay.example.com/base',
      network: { host: 'gateway.internal', allowedHosts: ['proxy.example', '*.preview.example'] },
    });
    for (const host of ['pay.example.com', 'gateway.internal:4000', 'proxy.example:8080', 'a.b.preview.example']) {
      expect(await statusOf(host), host).toBe(200);
    }
    for (const host of ['example.com', 'a.proxy.example', 'preview.example', 'my-preview.example', '10.1.2.3']) {
      expect(await statusOf(host), host).toBe(421);
    }
  });

  it.each(['0.0.0.0', '::'])('serves every address if it listens on %s, but no other name', async (host) => {
    const { statusOf } = await start({ network: { host } });
    for (const address of ['10.1.2.3:4000', '[2001:db8::1]:4000']) expect(await statusOf(address)).toBe(200);
    expect(await statusOf('evil.example')).toBe(421);
  });

  it.each([
    ['x-forwarded-host', 'pay.example'],
    ['forwarded', 'for="[2001:db8::1]:443";host=pay.example;proto=https'],
  ] as const)("trusts a proxy's %s for the host if the settings allow it", async (name, value) => {
    const statusFrom = async (remoteAddress: string, proxyHeaders: readonly ProxyHeader[]) => {
      const network = { trustProxy: ['10.0.0.0/8'], proxyHeaders };
      const { gateway } = await start({ network, publicUrl: () => 'https://pay.example' });
      const headers = { host: 'upstream', [name]: value };
      return (await inject(gateway, { url: '/nothing', remoteAddress, headers })).statusCode;
    };
    expect(await statusFrom('10.1.2.3', [name])).toBe(404);
    expect(await statusFrom('203.0.113.1', [name])).toBe(421);
    expect(await statusFrom('10.1.2.3', DEFAULTS.proxyHeaders)).toBe(421);
  });
});

describe('a gateway without a sandbox', () => {
  it('serves any name, since everything requires a secret key', async () => {
    const { call } = await startTestGateway();
    expect((await call('GET', '/merchant/balance', undefined, { host: 'gateway.internal' })).status).toBe(200);
  });

  it('refuses other names as a demo, whose key is public', async () => {
    const { call } = await startTestGateway({ keyPolicy: { demo: true } });
    expect((await call('GET', '/merchant/balance', undefined, { host: 'evil.example' })).status).toBe(421);
  });
});

const SHOP = 'http://localhost:5173';
const OPEN = ['/sandbox/merchants', '/sandbox/sink'];
const SERVED = [201, 204];
const REFUSED = [403, 403];

it.each<[headers: Record<string, string>, network: NonNullable<TestGatewayOptions['network']>, statuses: number[]]>([
  [{ 'sec-fetch-site': 'cross-site' }, {}, REFUSED],
  [{ 'sec-fetch-site': 'same-site' }, {}, REFUSED],
  [{ origin: 'https://evil.example' }, {}, REFUSED],
  [{ origin: 'null' }, {}, REFUSED],
  [{}, {}, SERVED],
  [{ 'sec-fetch-site': 'none' }, {}, SERVED],
  [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, {}, SERVED],
  [{ origin: 'http://localhost', host: 'localhost' }, {}, SERVED],
  [{ origin: 'https://pay.example', host: 'localhost' }, { publicUrl: 'https://pay.example/base' }, SERVED],
  [{ origin: 'http://localhost', host: 'localhost' }, { publicUrl: 'https://pay.example/base' }, REFUSED],
  [{ origin: SHOP, 'sec-fetch-site': 'same-site' }, { corsOrigins: [SHOP] }, SERVED],
  [{ origin: SHOP, 'sec-fetch-site': 'same-site' }, { corsOrigins: ['*'] }, SERVED],
  [{ origin: 'http://localhost:5174', 'sec-fetch-site': 'same-site' }, { corsOrigins: [SHOP] }, REFUSED],
])(
  'an open operation serves only its own programs and pages: %j with %j gets %j',
  async (headers, network, statuses) => {
    const { call } = await start({ network });
    const answers = OPEN.map((url) => call('POST', url, {}, { authorization: undefined, ...headers }));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(statuses);
  },
);

it.each([
  ['an origin without the setting', [], undefined],
  ['an origin other than the allowed ones', ['https://app.example.com'], undefined],
  ['an allowed origin', ['https://app.example.com', SHOP], SHOP],
  ['an origin allowed by *', ['*'], '*'],
])('%s gets CORS headers with each response only if it is allowed', async (_what, corsOrigins, allowed) => {
  const { call } = await startTestGateway({ network: { corsOrigins } });
  const asked = await call('OPTIONS', '/payments', undefined, {
    authorization: undefined,
    origin: SHOP,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  });
  const refused = await call('GET', '/merchant/balance', undefined, { origin: SHOP, authorization: 'Bearer other' });
  const unknown = await call('GET', '/nothing', undefined, { origin: SHOP });
  expect([refused.status, unknown.status]).toEqual([401, 404]);
  for (const { headers } of [asked, refused, unknown]) {
    expect(headers['access-control-allow-origin']).toBe(allowed);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  }
  if (allowed === undefined) return;
  expect(asked).toMatchObject({
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET,POST,PUT,PATCH,DELETE',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '600',
    },
  });
  for (const { headers } of [refused, unknown])
    expect(headers['access-control-expose-headers']).toBe('date,retry-after,x-request-id');
});
