/** Logging in to the console, and the permissions of its sessions. */
import { describe, expect, it } from 'vitest';
import { revokeApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { disableMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { paymentRequest, START } from '../harness/fixtures.ts';
import { describeOnEachStore, inject, startTestGateway } from '../harness.ts';
import { LIVE } from '../management/operator.ts';
import { type ConsoleBrowser, consoleBrowser, startConsole } from './console.ts';

const HOUR_MS = 3_600_000;

describe('a login link', () => {
  it('opens the console once with an HttpOnly session', async () => {
    const { gateway, call } = await startConsole();
    const { status, body } = await call('POST', '/sandbox/console-links');
    expect(status).toBe(201);
    expect(body.expires_at).toBe(new Date(START + 15 * 60_000).toISOString());
    const { pathname } = new URL(body.url);
    const first = await inject(gateway, { url: pathname });
    expect(first.statusCode).toBe(303);
    expect(first.headers.location).toBe('../../console');
    expect(first.headers['cache-control']).toBe('no-store');
    expect(first.headers['set-cookie']).toMatch(
      /^console-80=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const second = await inject(gateway, { url: pathname });
    expect(second.statusCode).toBe(410);
    expect(second.headers['set-cookie']).toBeUndefined();
    expect(second.body).toContain('This link has been used, or is older than 15 minutes.');
  });

  it('ends after 15 minutes', async () => {
    const { gateway, call, clock } = await startConsole();
    const { pathname } = new URL((await call('POST', '/sandbox/console-links')).body.url);
    clock.advance(15 * 60_000);
    expect((await inject(gateway, { url: pathname })).statusCode).toBe(410);
  });

  it.each([
    ['fetched ahead', { 'sec-purpose': 'prefetch' }, 204],
    ['shown in a frame', { 'sec-fetch-dest': 'iframe' }, 204],
    ['opened from another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }, 200],
  ])('stays usable when it is %s', async (_how, headers, expected) => {
    const { gateway, call } = await startConsole();
    const { pathname } = new URL((await call('POST', '/sandbox/console-links')).body.url);
    const ahead = await inject(gateway, { url: pathname, headers });
    expect(ahead.statusCode).toBe(expected);
    expect(ahead.headers['set-cookie']).toBeUndefined();
    expect((await inject(gateway, { url: pathname })).statusCode).toBe(303);
  });

  it('stays usable after a HEAD request', async () => {
    const { gateway, call } = await startConsole();
    const { pathname } = new URL((await call('POST', '/sandbox/console-links')).body.url);
    expect((await inject(gateway, { method: 'HEAD', url: pathname })).headers['set-cookie']).toBeUndefined();
    expect((await inject(gateway, { url: pathname })).statusCode).toBe(303);
  });

  it('is missing in the request log', async () => {
    const { call } = await startConsole();
    const token = new URL((await call('POST', '/sandbox/console-links')).body.url).pathname.split('/').at(-1);
    const { data } = (await call('GET', '/management/requests')).body;
    expect(data[0]).toMatchObject({ operation: 'createConsoleLink' });
    expect((await call('GET', `/management/requests/${data[0].id}`)).text).not.toContain(token);
  });

  it('asks for confirmation if another site opened it', async () => {
    const { gateway, call } = await startConsole();
    const { pathname } = new URL((await call('POST', '/sandbox/console-links')).body.url);
    const form = { method: 'POST', url: pathname } as const;
    const foreign = await inject(gateway, { ...form, headers: { 'sec-fetch-site': 'cross-site' } });
    expect(foreign.statusCode).toBe(403);
    expect((await inject(gateway, { ...form, headers: { 'sec-fetch-site': 'same-origin' } })).statusCode).toBe(303);
  });

  it('belongs to the merchant of the session that created it', async () => {
    const { gateway, key, merchant } = await startConsole();
    const browser = await consoleBrowser(gateway, key);
    const { body } = await browser.send('POST', '/sandbox/console-links');
    const opened = await inject(gateway, { url: new URL(body.url).pathname });
    const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
    const other: ConsoleBrowser = { ...browser, cookie };
    expect((await other.send('GET', '/management/caller')).body).toMatchObject({ merchant: { id: merchant.id } });
  });
});

describeOnEachStore('a link created in a session', (open) => {
  async function sessions() {
    const console = await startConsole({ store: await open() });
    const first = await consoleBrowser(console.gateway, console.key);
    const link = async (browser: ConsoleBrowser) =>
      new URL((await browser.send('POST', '/sandbox/console-links')).body.url).pathname;
    const openLink = async (url: string) => {
      const { statusCode, headers } = await inject(console.gateway, { url });
      const cookie = String(headers['set-cookie'] ?? '').split(';')[0] ?? '';
      return { statusCode, maxAge: /Max-Age=(\d+)/.exec(String(headers['set-cookie']))?.[1], ...first, cookie };
    };
    const statusOf = async (browser: ConsoleBrowser) => (await browser.send('GET', '/management/caller')).status;
    return { ...console, first, link, openLink, statusOf };
  }

  it('ends with the session, like the sessions begun by earlier links', async () => {
    const { first, link, openLink, statusOf } = await sessions();
    const second = await openLink(await link(first));
    const third = await openLink(await link(second));
    const fourth = await openLink(await link(second));
    const unused = await link(first);
    await third.send('POST', '/console/logout');
    expect([await statusOf(second), await statusOf(third), await statusOf(fourth)]).toEqual([200, 401, 200]);
    expect((await first.send('POST', '/console/logout')).status).toBe(204);
    expect([await statusOf(second), await statusOf(fourth)]).toEqual([401, 401]);
    expect((await openLink(unused)).statusCode).toBe(410);
  });

  it('begins sessions that expire with the first one', async () => {
    const { first, link, openLink, statusOf, clock } = await sessions();
    clock.advance(11 * HOUR_MS);
    const second = await openLink(await link(first));
    expect(second.maxAge).toBe('3600');
    const late = await link(second);
    clock.advance(HOUR_MS - 1);
    expect(await statusOf(second)).toBe(200);
    clock.advance(1);
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 401]);
    expect((await openLink(late)).statusCode).toBe(410);
  });
});

describe('the login form', () => {
  it('takes the key in its body and never repeats it', async () => {
    const { gateway, key } = await startConsole();
    const page = await inject(gateway, { url: '/console/login' });
    expect(page.body).toContain('<form method="post" action="login">');
    const browser = await consoleBrowser(gateway, key);
    expect(browser.login.statusCode).toBe(303);
    expect(browser.login.body).not.toContain(key);
    expect(JSON.stringify(browser.login.headers)).not.toContain(key);
  });

  it('refuses an unknown key without repeating it', async () => {
    const { gateway } = await startConsole();
    const { login } = await consoleBrowser(gateway, 'sk_test_unknown');
    expect(login.statusCode).toBe(401);
    expect(login.body).toContain('This key is not valid.');
    expect(login.body).not.toContain('sk_test_unknown');
    expect(login.headers['set-cookie']).toBeUndefined();
  });

  it('refuses a valid key in a form from another site', async () => {
    const { gateway, key } = await startConsole();
    const { login } = await consoleBrowser(gateway, key, { 'sec-fetch-site': 'cross-site' });
    expect(login.statusCode).toBe(403);
    expect(login.headers['set-cookie']).toBeUndefined();
  });

  it('limits guesses by address', async () => {
    const { gateway } = await startConsole({ limits: { requestsPerSecond: 3 } });
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await consoleBrowser(gateway, `sk_test_guess${i}`)).login.statusCode);
    expect(statuses.slice(0, 3)).toEqual([401, 401, 401]);
    expect(statuses).toContain(429);
  });
});

describe('a session', () => {
  it("authenticates the sandbox's operations and the contract's", async () => {
    const { gateway, key } = await startConsole();
    const browser = await consoleBrowser(gateway, key);
    expect((await browser.send('GET', '/sandbox/clock')).status).toBe(200);
    const payment = await browser.send('POST', '/payments', paymentRequest());
    expect(payment.status).toBe(200);
    expect((await browser.send('GET', `/payments/${payment.body.transaction_id}`)).status).toBe(200);
  });

  it.each([
    ['without the header of the console', { 'x-console': undefined }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['with the origin of another site', { origin: 'https://evil.example' }],
    ['with another cookie', { cookie: `console-80=${'x'.repeat(43)}` }],
  ])('does not count %s', async (_how, headers) => {
    const { gateway, key } = await startConsole();
    const browser = await consoleBrowser(gateway, key);
    const { status, body } = await browser.send('GET', '/sandbox/clock', undefined, headers);
    expect(status).toBe(401);
    expect(body.type).toMatch(/unauthorized$/);
  });

  it('ends with a logout, even for a copied cookie', async () => {
    const { gateway, key } = await startConsole();
    const browser = await consoleBrowser(gateway, key);
    expect((await browser.send('POST', '/console/logout', undefined, { 'sec-fetch-site': 'cross-site' })).status).toBe(
      204,
    );
    expect((await browser.send('GET', '/sandbox/clock')).status).toBe(200);
    const { headers } = await browser.send('POST', '/console/logout');
    expect(headers['set-cookie']).toMatch(/^console-80=; .*Max-Age=0/);
    expect((await browser.send('GET', '/sandbox/clock')).status).toBe(401);
  });

  it('ends after 12 hours', async () => {
    const { gateway, key, clock } = await startConsole();
    const browser = await consoleBrowser(gateway, key);
    clock.advance(12 * HOUR_MS - 1);
    expect((await browser.send('GET', '/management/caller')).status).toBe(200);
    clock.advance(1);
    const ended = await browser.send('GET', '/management/caller');
    expect(ended.status).toBe(401);
    expect(ended.body.detail).toBe('The session of the console has ended. Log in again at `/console/login`.');
  });

  it('counts against the rate limit', async () => {
    const { gateway, key } = await startConsole({ limits: { requestsPerSecond: 3 } });
    const browser = await consoleBrowser(gateway, key);
    const statuses = await Promise.all(Array.from({ length: 5 }, () => browser.send('GET', '/sandbox/clock')));
    expect(statuses.map(({ status }) => status)).toContain(429);
  });

  it('has a secure cookie behind an https proxy', async () => {
    const { gateway, key } = await startConsole({ network: { trustProxy: ['127.0.0.1'] } });
    const { login } = await consoleBrowser(gateway, key, { 'x-forwarded-proto': 'https' });
    expect(login.headers['set-cookie']).toMatch(/^__Host-console-.*; Secure; SameSite=Strict$/);
  });
});

it.each([
  ['in test mode', {}],
  ['with LIVE', LIVE],
])("a session without a sandbox opens the merchant's data in the management API alone: %s", async (_mode, options) => {
  const { gateway, key, merchant } = await startTestGateway(options);
  const browser = await consoleBrowser(gateway, key);
  expect((await browser.send('GET', '/management/caller')).body.merchant).toMatchObject({ id: merchant.id });
  expect((await browser.send('GET', '/management/payments')).body).toEqual({ data: [] });
  expect((await browser.send('GET', '/management/proposals')).status).toBe(403);
  expect((await browser.send('POST', '/payments', paymentRequest())).status).toBe(401);
  expect((await browser.send('GET', '/merchant/balance')).status).toBe(401);
  expect((await browser.send('GET', '/console/login/token')).status).toBe(404);
});

describeOnEachStore('sessions in the database', (open) => {
  it('are shared by processes, and end with the key', async () => {
    const store = await open();
    const { gateway, key, call, merchant, clock } = await startConsole({ store });
    const { body } = await call('POST', '/sandbox/console-links');
    const opened = await inject(gateway, { url: new URL(body.url).pathname });
    expect(opened.statusCode).toBe(303);
    const linked = { cookie: String(opened.headers['set-cookie']).split(';')[0] ?? '', 'x-console': '1' };
    const status = async (headers: Record<string, string>) =>
      (await inject(gateway, { url: '/management/caller', headers })).statusCode;
    expect(await status(linked)).toBe(200);
    const { cookie } = await consoleBrowser(gateway, key);
    expect(await status({ cookie, 'x-console': '1' })).toBe(200);
    const [{ id = '' } = {}] = (await store.read.all('select id from api_keys where merchant_id = ?', merchant.id)) as {
      id: string;
    }[];
    await store.unit((db) => revokeApiKey(db, merchant.id, id, clock.now()));
    expect(await status(linked)).toBe(401);
    expect(await status({ cookie, 'x-console': '1' })).toBe(401);
  });

  it('end with the merchant', async () => {
    const store = await open();
    const { gateway, key, merchant } = await startConsole({ store });
    const browser = await consoleBrowser(gateway, key);
    await store.unit((db) => disableMerchant(db, merchant.id, START));
    expect((await browser.send('GET', '/management/caller')).status).toBe(401);
  });

  it('end with the deletion of the merchant', async () => {
    const store = await open();
    const { gateway, key } = await startConsole({ store });
    const browser = await consoleBrowser(gateway, key);
    expect((await browser.send('DELETE', '/sandbox/merchant')).status).toBe(204);
    expect((await browser.send('GET', '/management/caller')).status).toBe(401);
    expect(await store.read.all('select * from console_access')).toEqual([]);
  });

  it('are stored as hashes and removed after their end', async () => {
    const store = await open();
    const { gateway, key, clock } = await startConsole({ store });
    const { cookie } = await consoleBrowser(gateway, key);
    const rows = await store.read.all('select * from console_access');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(cookie.split('=')[1]);
    clock.advance(13 * HOUR_MS);
    await consoleBrowser(gateway, key);
    expect(await store.read.all('select * from console_access')).toHaveLength(1);
  });
});
