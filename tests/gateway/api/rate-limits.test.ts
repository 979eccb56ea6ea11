/** Rate limits by key, and by the address of the connection or of the client behind a trusted proxy. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { REMEMBERED_MS } from '../../../gateway/src/http/key-holders.ts';
import { toNetwork } from '../../../gateway/src/platform/cidr.ts';
import { performance } from '../../../gateway/src/platform/timers.ts';
import { problemType } from '../../tools/problems.ts';
import { watching } from '../../tools/watching.ts';
import { paymentRequest, REDIRECT } from '../harness/fixtures.ts';
import { inject, openTestSqlite, startTestGateway, type TestGateway } from '../harness.ts';

const PROXY = '10.1.2.3';

interface From {
  /** The peer of the connection. */
  readonly peer?: string;
  /** `X-Forwarded-For`. */
  readonly forwarded?: string;
}

/** A gateway that serves two requests in a second to each caller, with a payment page. */
async function start(network: { trustProxy?: readonly string[] } = {}) {
  const test = await startTestGateway({ network, limits: { requestsPerSecond: 2 } });
  const { body } = await test.call('POST', '/payments', paymentRequest({}, REDIRECT));
  return { test, page: new URL(body.redirect_url).pathname };
}

async function statuses({ gateway }: TestGateway, url: string, callers: readonly From[], key?: string) {
  const found: number[] = [];
  for (const { peer = PROXY, forwarded } of callers) {
    const headers = {
      ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    };
    found.push((await inject(gateway, { url, remoteAddress: peer, headers })).statusCode);
  }
  return found;
}

let now = performance.now();
// The rate limit's window doesn't end unless the test moves the time.
beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => now));
afterEach(() => void vi.restoreAllMocks());

const times = (count: number, from: From): From[] => Array.from({ length: count }, () => from);

it('bad keys, payment pages and unknown paths have separate limits for an address', async () => {
  const { test, page } = await start();
  expect(await statuses(test, '/merchant/balance', times(4, {}), 'sk_test_unknown')).toEqual([401, 401, 429, 429]);
  expect(await statuses(test, page, times(3, {}))).toEqual([200, 200, 429]);
  expect(await statuses(test, '/nothing', times(3, {}))).toEqual([404, 404, 429]);
});

it('refused notifications of channels count for the address that sends them', async () => {
  const { test } = await start();
  const send = async () => {
    const notification = { method: 'POST', url: '/channels/pigeon/notifications', remoteAddress: PROXY, payload: '{}' };
    return (await inject(test.gateway, notification)).statusCode;
  };
  expect([await send(), await send(), await send()]).toEqual([404, 404, 429]);
});

describe('the limit of an address behind a proxy', () => {
  it.each([
    ['203.0.113.1:50001', '203.0.113.1:50002'],
    ['2001:db8::1', '[2001:db8::2]'],
    ['unknown', '_hidden'],
    ['203.0.113.7, not an address', '203.0.113.8, 203.0.113.999'],
  ])('counts `%s` and `%s` as one payer if the proxy is trusted', async (one, other) => {
    const { test, page } = await start({ trustProxy: ['10.0.0.0/8'] });
    const forwarded = [one, other, one].map((from) => ({ forwarded: from }));
    expect(await statuses(test, page, forwarded)).toEqual([200, 200, 429]);
  });

  it("takes the nearest untrusted address as the payer's", async () => {
    const { test, page } = await start({ trustProxy: ['10.0.0.0/8'] });
    const chain = (client: string) => ({ forwarded: `198.51.100.1, ${client}, 10.9.9.9:4000` });
    expect(await statuses(test, page, [chain('203.0.113.1'), chain('203.0.113.1:80')])).toEqual([200, 200]);
    expect(await statuses(test, page, [chain('203.0.113.1'), chain('203.0.113.2')])).toEqual([429, 200]);
  });

  it('counts bad keys for the address that sends them', async () => {
    const { test } = await start({ trustProxy: [PROXY] });
    for (const forwarded of ['203.0.113.1', '203.0.113.2']) {
      const bad = await statuses(test, '/merchant/balance', times(3, { forwarded }), 'sk_test_unknown');
      expect(bad).toEqual([401, 401, 429]);
    }
  });

  it('ignores the header if the proxy is not trusted', async () => {
    const spoofed = ['203.0.113.1', '203.0.113.2', '203.0.113.3'].map((forwarded) => ({ forwarded }));
    for (const network of [{}, { trustProxy: ['192.0.2.0/24'] }]) {
      const { test, page } = await start(network);
      expect(await statuses(test, page, spoofed)).toEqual([200, 200, 429]);
    }
  });
});

it.each([
  ['203.0.113.1', '203.0.113.1'],
  ['::ffff:203.0.113.1', '203.0.113.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['::1', '::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
])('a limited address %s stands for %s, whose clients share the limits', async (address, network) => {
  expect(toNetwork(address)).toBe(network);
  const { test, page } = await start();
  const peers = [address, network.replace('/64', '1'), address, '2001:db8:0:1::1'].map((peer) => ({ peer }));
  expect(await statuses(test, page, peers)).toEqual([200, 200, 429, 200]);
});

describe('the rate limit', () => {
  it('refuses a key over its limit with Retry-After, over all operations, and serves other keys', async () => {
    const { call, key, addMerchant } = await startTestGateway({ limits: { requestsPerSecond: 3 } });
    const other = await addMerchant('Other');
    // A looked-up key is cached. Until then, requests count for their address.
    expect((await call('GET', '/merchant/balance')).status).toBe(200);
    const paths = ['/merchant/balance', '/payments/x', '/payouts/x', '/payments?merchant_order_id=x'];
    // Spellings of the header with the same key count together.
    const spellings = [`bearer ${key}`, `BEARER   ${key}`, `Bearer ${key} `, `Bearer ${key}`];
    const sent = paths.map((path, index) => call('GET', path, undefined, { authorization: spellings[index] }));
    const answers = await Promise.all(sent);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 429, 429]);
    expect(answers.at(-1)).toMatchObject({
      headers: { 'retry-after': '1', ratelimit: '"key";r=0;t=1' },
      body: { type: problemType('rate-limited'), status: 429 },
    });
    expect((await other.call('GET', '/merchant/balance')).status).toBe(200);
  });

  it('blocks an address without a valid key before the database, except for valid keys', async () => {
    let lookups = 0;
    const store = watching(await openTestSqlite(), (sql) => {
      if (sql.includes('api_keys')) lookups += 1;
    });
    const { call, addMerchant } = await startTestGateway({ store, limits: { requestsPerSecond: 3 } });
    const balance = async (authorization?: string) =>
      (await call('GET', '/merchant/balance', undefined, authorization ? { authorization } : {})).status;
    expect(await balance()).toBe(200);
    lookups = 0;
    await Promise.all(Array.from({ length: 50 }, (_, index) => balance(`Bearer sk_test_${index}`)));
    expect(lookups).toBe(3);
    // This key is not cached.
    expect((await (await addMerchant('Other')).call('GET', '/merchant/balance')).status).toBe(429);
    expect(await balance()).toBe(200);
    now += REMEMBERED_MS;
    await Promise.all(Array.from({ length: 50 }, (_, index) => balance(`Bearer sk_test_${index}`)));
    expect(await balance()).toBe(200);
  });
});
