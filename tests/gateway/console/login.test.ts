/** Logging in to the console, and the permissions of its sessions. */
import { describe, expect, it } from 'vitest';
import { listApiKeys, revokeApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { disableMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { paymentRequest, START } from '../harness/fixtures.ts';
import type { InjectedRequest } from '../harness/inject.ts';
import { describeOnEachStore, type Injected, inject, startTestGateway } from '../harness.ts';
import { LIVE } from '../management/operator.ts';
import { type ConsoleBrowser, consoleBrowser, startConsole } from './console.ts';

const HOUR_MS = 3_600_000;

/** The session cookie that a response sets, or an empty text. */
const cookieOf = ({ headers }: Injected) => String(headers['set-cookie'] ?? '').split(';')[0] ?? '';

describe('a login link', () => {
  /** A function that opens a new link, by GET unless the request has another method. */
  async function startWithLink() {
    const console = await startConsole();
    const { status, body } = await console.call('POST', '/sandbox/console-links');
    expect(status).toBe(201);
    const { pathname: url } = new URL(body.url);
    const open = (request: Partial<InjectedRequest> = {}) => inject(console.gateway, { url, ...request });
    return { ...console, open, expiresAt: body.expires_at, token: url.split('/').at(-1) };
  }

  it('opens the console once with an HttpOnly session', async () => {
    const { open, expiresAt } = await startWithLink();
    expect(expiresAt).toBe(new Date(START + 15 * 60_000).toISOString());
    const first = await open();
    expect(first).toMatchObject({
      statusCode: 303,
      headers: { location: '../../console', 'cache-control': 'no-store' },
    });
    expect(first.headers['set-cookie']).toMatch(
      /^console-80=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const second = await open();
    expect([second.statusCode, cookieOf(second)]).toEqual([410, '']);
    expect(second.body).toContain('This link has been used, or is older than 15 minutes.');
  });

  it('ends after 15 minutes', async () => {
    const { open, clock } = await startWithLink();
    clock.advance(15 * 60_000);
    expect((await open()).statusCode).toBe(410);
  });

  it.each<[string, Partial<InjectedRequest>, number]>([
    ['fetched ahead', { headers: { 'sec-purpose': 'prefetch' } }, 204],
    ['shown in a frame', { headers: { 'sec-fetch-dest': 'iframe' } }, 204],
    ['opened from another site', { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' } }, 200],
    ['confirmed from another site', { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['requested by HEAD', { method: 'HEAD' }, 204],
  ])('stays usable when it is %s', async (_how, request, expected) => {
    const { open } = await startWithLink();
    const ahead = await open(request);
    expect([ahead.statusCode, cookieOf(ahead)]).toEqual([expected, '']);
    const confirmed = await open({ method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } });
    expect(confirmed.statusCode).toBe(303);
  });

  it('is missing in the request log', async () => {
    const { call, token } = await startWithLink();
    const { data } = (await call('GET', '/management/requests')).body;
    expect(data[0]).toMatchObject({ operation: 'createConsoleLink' });
    expect((await call('GET', `/management/requests/${data[0].id}`)).text).not.toContain(token);
  });
});

describeOnEachStore('a link created in a session', (open) => {
  async function sessions() {
    const console = await startConsole({ store: await open() });
    const first = await consoleBrowser(console.gateway, console.key);
    const link = async (browser: ConsoleBrowser) =>
      new URL((await browser.send('POST', '/sandbox/console-links')).body.url).pathname;
    const openLink = async (url: string) => {
      const opened = await inject(console.gateway, { url });
      const maxAge = /Max-Age=(\d+)/.exec(String(opened.headers['set-cookie']))?.[1];
      return { ...first, statusCode: opened.statusCode, maxAge, cookie: cookieOf(opened) };
    };
    const caller = (browser: ConsoleBrowser) => browser.send('GET', '/management/caller');
    const statusOf = async (browser: ConsoleBrowser) => (await caller(browser)).status;
    return { ...console, first, link, openLink, caller, statusOf };
  }

  it('begins sessions of its merchant, which end with that session like unused links', async () => {
    const { first, link, openLink, caller, statusOf, merchant } = await sessions();
    const second = await openLink(await link(first));
    expect((await caller(second)).body).toMatchObject({ merchant: { id: merchant.id } });
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
  async function startSession() {
    const console = await startConsole({ store: await open() });
    const browser = await consoleBrowser(console.gateway, console.key);
    const status = async (one = browser) => (await one.send('GET', '/management/caller')).status;
    return { ...console, store: console.gateway.store, browser, status };
  }

  it('end with the key, even if a link began them', async () => {
    const { store, gateway, call, merchant, clock, browser, status } = await startSession();
    const { body } = await call('POST', '/sandbox/console-links');
    const linked = { ...browser, cookie: cookieOf(await inject(gateway, { url: new URL(body.url).pathname })) };
    expect([await status(), await status(linked)]).toEqual([200, 200]);
    const [key] = await listApiKeys(store.read, merchant.id);
    await store.unit((db) => revokeApiKey(db, merchant.id, key?.id ?? '', clock.now()));
    expect([await status(), await status(linked)]).toEqual([401, 401]);
  });

  it('end with the merchant', async () => {
    const { store, merchant, status } = await startSession();
    await store.unit((db) => disableMerchant(db, merchant.id, START));
    expect(await status()).toBe(401);
  });

  it('are deleted with the merchant', async () => {
    const { store, browser, status } = await startSession();
    expect((await browser.send('DELETE', '/sandbox/merchant')).status).toBe(204);
    expect(await status()).toBe(401);
    expect(await store.read.all('select * from console_access')).toEqual([]);
  });

  it('are stored as hashes and removed after their end', async () => {
    const { store, gateway, key, clock, browser } = await startSession();
    const rows = await store.read.all('select * from console_access');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(browser.cookie.split('=')[1]);
    clock.advance(13 * HOUR_MS);
    await consoleBrowser(gateway, key);
    expect(await store.read.all('select * from console_access')).toHaveLength(1);
  });
});
