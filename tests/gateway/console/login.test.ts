/** Logging in to the console, and the permissions of the sessions of merchants and operators. */
import { describe, expect, it } from 'vitest';
import { createApiKey, listApiKeys, revokeApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { disableMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { createOperatorKey, revokeOperatorKeys } from '../../../gateway/src/operators/operator-keys.ts';
import { setOperatorRole } from '../../../gateway/src/operators/operators.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import type { Gateway } from '../../../gateway/src/server.ts';
import { paymentRequest, START } from '../harness/fixtures.ts';
import { type CallFunction, createCaller } from '../harness/gateway.ts';
import type { Injected, InjectedRequest } from '../harness/inject.ts';
import { addOperator } from '../harness/operators.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { describeOnEachStore, inject, openTestSqlite, startTestGateway, type TestGatewayOptions } from '../harness.ts';
import { LIVE, startOperated } from '../management/operator.ts';

const HOUR_MS = 3_600_000;

const startConsole = (options: Omit<TestGatewayOptions, 'clock'> = {}) =>
  startTestGateway({ sandbox: true, ...options });

/** A browser after it has sent the login form. */
type ConsoleBrowser = ReturnType<typeof browserWith>;

/** Sends the login form as a browser does. */
async function consoleBrowser(
  gateway: Gateway,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ConsoleBrowser> {
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const login = await inject(gateway, {
    method: 'POST',
    url: '/console/login',
    headers: { ...form, ...headers },
    payload: new URLSearchParams({ key }).toString(),
  });
  return browserWith(gateway, login);
}

/** A browser with the cookie that a response has set. */
function browserWith(gateway: Gateway, login: Injected) {
  /** As the Cookie header has it; empty if the login failed. */
  const cookie = String(login.headers['set-cookie'] ?? '').split(';')[0] ?? '';
  const call = createCaller(gateway, '');
  /** Sends a request as the console's script does. An undefined header is left out. */
  const send: CallFunction = (method, url, body, headers = {}) =>
    call(method, url, body, { authorization: undefined, cookie, 'x-console': '1', ...headers });
  return { login, cookie, send };
}

/** A console, and a browser with a session of its merchant. */
async function startSession(options?: Parameters<typeof startConsole>[0]) {
  const console = await startConsole(options);
  const browser = await consoleBrowser(console.gateway, console.key);
  const status = async (one = browser) => (await one.send('GET', '/management/caller')).status;
  return { ...console, store: console.gateway.store, browser, status };
}

describe('a login link', () => {
  /** A function that opens a new link, by GET unless the request has another method. */
  async function startWithLink() {
    const console = await startConsole();
    const { status, body } = await console.call('POST', '/sandbox/console-links');
    expect(status).toBe(201);
    const { pathname: url } = new URL(body.url);
    const open = async (request: Partial<InjectedRequest> = {}) =>
      browserWith(console.gateway, await inject(console.gateway, { url, ...request }));
    return { ...console, open, expiresAt: body.expires_at, token: url.split('/').at(-1) };
  }

  it('opens the console once with an HttpOnly session', async () => {
    const { open, expiresAt } = await startWithLink();
    expect(expiresAt).toBe(new Date(START + 15 * 60_000).toISOString());
    const { login: first } = await open();
    expect(first).toMatchObject({
      statusCode: 303,
      headers: { location: '../../console', 'cache-control': 'no-store' },
    });
    expect(first.headers['set-cookie']).toMatch(
      /^console-80=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const { login: second, cookie } = await open();
    expect([second.statusCode, cookie]).toEqual([410, '']);
    expect(second.body).toContain('This link has been used, or is older than 15 minutes.');
  });

  it('ends after 15 minutes, and is missing in the request log', async () => {
    const { open, clock, call, token } = await startWithLink();
    const { data } = (await call('GET', '/management/requests')).body;
    expect(data[0]).toMatchObject({ operation: 'createConsoleLink' });
    expect((await call('GET', `/management/requests/${data[0].id}`)).text).not.toContain(token);
    clock.advance(15 * 60_000);
    expect((await open()).login.statusCode).toBe(410);
  });

  it.each<[string, Partial<InjectedRequest>, number]>([
    ['fetched ahead', { headers: { 'sec-purpose': 'prefetch' } }, 204],
    ['shown in a frame', { headers: { 'sec-fetch-dest': 'iframe' } }, 204],
    ['opened from another site', { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' } }, 200],
    ['confirmed from another site', { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['requested by HEAD', { method: 'HEAD' }, 204],
  ])('stays usable when it is %s', async (_how, request, expected) => {
    const { open } = await startWithLink();
    const { login, cookie } = await open(request);
    expect([login.statusCode, cookie]).toEqual([expected, '']);
    const confirmed = await open({ method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } });
    expect(confirmed.login.statusCode).toBe(303);
  });
});

describeOnEachStore('a link created in a session', (open) => {
  async function sessions() {
    const { browser: first, status, ...console } = await startSession({ store: await open() });
    const link = async (browser: ConsoleBrowser) =>
      new URL((await browser.send('POST', '/sandbox/console-links')).body.url).pathname;
    const openLink = async (url: string) => browserWith(console.gateway, await inject(console.gateway, { url }));
    return { ...console, first, link, openLink, statusOf: status };
  }

  it('begins sessions of its merchant, which end with that session like unused links', async () => {
    const { first, link, openLink, statusOf, merchant } = await sessions();
    const second = await openLink(await link(first));
    expect((await second.send('GET', '/management/caller')).body).toMatchObject({ merchant: { id: merchant.id } });
    const payment = await second.send('POST', '/payments', paymentRequest());
    expect((await second.send('GET', `/payments/${payment.body.transaction_id}`)).status).toBe(200);
    const third = await openLink(await link(second));
    const fourth = await openLink(await link(second));
    const unused = await link(first);
    await third.send('POST', '/console/logout');
    expect([await statusOf(second), await statusOf(third), await statusOf(fourth)]).toEqual([200, 401, 200]);
    expect((await first.send('POST', '/console/logout')).status).toBe(204);
    expect([await statusOf(second), await statusOf(fourth)]).toEqual([401, 401]);
    expect((await openLink(unused)).login.statusCode).toBe(410);
  });

  it('begins sessions that expire with the first one', async () => {
    const { first, link, openLink, statusOf, clock } = await sessions();
    clock.advance(11 * HOUR_MS);
    const second = await openLink(await link(first));
    expect(second.login.headers['set-cookie']).toContain('Max-Age=3600;');
    const late = await link(second);
    clock.advance(HOUR_MS - 1);
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
    clock.advance(1);
    const detail = 'The session of the console has ended. Log in again at `/console/login`.';
    for (const { send } of [first, second])
      expect((await send('GET', '/management/caller')).body).toMatchObject({ status: 401, detail });
    expect((await openLink(late)).login.statusCode).toBe(410);
  });
});

describe('the login form', () => {
  it('takes the key in its body, and never repeats it', async () => {
    const { gateway, key } = await startConsole();
    const page = await inject(gateway, { url: '/console/login' });
    expect(page.body).toContain('<form method="post" action="login">');
    for (const [sent, status, from] of [
      [key, 303, 'same-origin'],
      ['sk_test_unknown', 401, 'same-origin'],
      [key, 403, 'cross-site'],
    ] as const) {
      const { login, cookie } = await consoleBrowser(gateway, sent, { 'sec-fetch-site': from });
      expect([login.statusCode, cookie !== '']).toEqual([status, status === 303]);
      expect(login.body + JSON.stringify(login.headers)).not.toContain(sent);
      if (status === 401) expect(login.body).toContain('This key is not valid.');
    }
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
  it.each([
    ['without the header of the console', { 'x-console': undefined }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['with the origin of another site', { origin: 'https://evil.example' }],
    ['with another cookie', { cookie: `console-80=${'x'.repeat(43)}` }],
  ])('does not count %s', async (_how, headers) => {
    const { browser } = await startSession();
    const { body } = await browser.send('GET', '/sandbox/clock', undefined, headers);
    expect(body).toMatchObject({ status: 401, type: expect.stringMatching(/unauthorized$/) });
  });

  it('ends with a logout, even for a copied cookie', async () => {
    const { browser } = await startSession();
    await browser.send('POST', '/console/logout', undefined, { 'sec-fetch-site': 'cross-site' });
    expect((await browser.send('GET', '/sandbox/clock')).status).toBe(200);
    const { headers } = await browser.send('POST', '/console/logout');
    expect(headers['set-cookie']).toMatch(/^console-80=; .*Max-Age=0/);
    expect((await browser.send('GET', '/sandbox/clock')).status).toBe(401);
  });

  it('counts against the rate limit', async () => {
    const { browser } = await startSession({ limits: { requestsPerSecond: 3 } });
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
  it('end with the key, even if a link began them, and with the merchant', async () => {
    const { store, gateway, call, merchant, clock, status } = await startSession({ store: await open() });
    const { body } = await call('POST', '/sandbox/console-links');
    const linked = browserWith(gateway, await inject(gateway, { url: new URL(body.url).pathname }));
    const other = await store.unit((db) => createApiKey(db, merchant.id, clock.now() + 1));
    const byOther = await consoleBrowser(gateway, other.key);
    const sessions = async () => [await status(), await status(linked), await status(byOther)];
    expect(await sessions()).toEqual([200, 200, 200]);
    const [own] = await listApiKeys(store.read, merchant.id);
    await store.unit((db) => revokeApiKey(db, merchant.id, own?.id ?? '', clock.now()));
    expect(await sessions()).toEqual([401, 401, 200]);
    await store.unit((db) => disableMerchant(db, merchant.id, START));
    expect(await sessions()).toEqual([401, 401, 401]);
  });

  it('are deleted with the merchant', async () => {
    const { store, browser, status } = await startSession({ store: await open() });
    expect((await browser.send('DELETE', '/sandbox/merchant')).status).toBe(204);
    expect(await status()).toBe(401);
    expect(await store.read.all('select * from console_access')).toEqual([]);
  });

  it('are stored as hashes and removed after their end', async () => {
    const { store, gateway, key, clock, browser } = await startSession({ store: await open() });
    const rows = await store.read.all('select * from console_access');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(browser.cookie.split('=')[1]);
    clock.advance(13 * HOUR_MS);
    await consoleBrowser(gateway, key);
    expect(await store.read.all('select * from console_access')).toHaveLength(1);
  });
});

/** A live gateway, and the browser of an operator with the role `read`. */
async function loggedIn(options: Parameters<typeof startOperated>[1] = {}) {
  const operated = await startOperated(await openTestSqlite(), options);
  const reader = await addOperator(operated.test, 'Kim', 'read');
  return { ...operated, reader, browser: await consoleBrowser(operated.test.gateway, reader.key) };
}

describe('a live gateway', () => {
  it('serves the console without the sandbox', async () => {
    const { test } = await loggedIn();
    const status = async (url: string) => (await inject(test.gateway, { url })).statusCode;
    for (const url of ['/console', '/console/login', '/console/management.json', '/console/contract.json'])
      expect(await status(url), url).toBe(200);
    for (const url of ['/console/sandbox.json', '/console/login/token', '/sandbox/clock'])
      expect(await status(url), url).toBe(404);
  });

  it('logs the operator who logged in, without the key', async () => {
    const { log, lines } = recordingLog();
    const { reader, test } = await loggedIn({ log });
    await consoleBrowser(test.gateway, `op_${'x'.repeat(32)}`);
    const logins = lines.filter(({ method, route }) => method === 'POST' && route === '/console/login');
    expect(logins.map(({ status, operator_id }) => [status, operator_id])).toEqual([
      [303, reader.id],
      [401, undefined],
    ]);
    expect(JSON.stringify(lines)).not.toContain(reader.key);
  });

  it('serves no console and refuses sessions without CONSOLE', async () => {
    const { test, browser } = await loggedIn();
    const without = (await startOperated(test.gateway.store, { console: false })).test;
    for (const url of ['/console', '/console/login'])
      expect((await inject(without.gateway, { url })).statusCode).toBe(404);
    const headers = { cookie: browser.cookie, 'x-console': '1' };
    const status = async ({ gateway }: typeof test) =>
      (await inject(gateway, { url: '/management/merchants', headers })).statusCode;
    expect([await status(test), await status(without)]).toEqual([200, 401]);
  });
});

describe('the session of an operator', () => {
  it('has the current role of its operator', async () => {
    const { test, browser, reader } = await loggedIn();
    const pause = async () => (await browser.send('POST', '/management/channels/bank/pause', {})).status;
    expect(await pause()).toBe(403);
    await test.gateway.store.unit((db) => setOperatorRole(db, reader.id, 'act'));
    expect(await pause()).toBe(200);
  });

  it('ends when its key expires, and is refused with that time from then on', async () => {
    const { test, reader } = await loggedIn();
    const { key, expiresAt } = await test.gateway.store.unit((db) =>
      createOperatorKey(db, reader.id, test.clock.now(), randomIds, HOUR_MS),
    );
    const browser = await consoleBrowser(test.gateway, key);
    const status = async () => (await browser.send('GET', '/management/merchants')).status;
    test.clock.advance(HOUR_MS - 1);
    expect(await status()).toBe(200);
    test.clock.advance(1);
    expect(await status()).toBe(401);
    const { login } = await consoleBrowser(test.gateway, key);
    expect([login.statusCode, login.body]).toEqual([401, expect.stringContaining(new Date(expiresAt).toISOString())]);
  });

  it('separates merchants and operators', async () => {
    const test = await startTestGateway({ sandbox: true });
    const operator = await addOperator(test);
    const ofOperator = await consoleBrowser(test.gateway, operator.key);
    const ofMerchant = await consoleBrowser(test.gateway, test.key);
    expect((await ofOperator.send('GET', '/management/merchants')).status).toBe(200);
    for (const url of ['/merchant/balance', '/sandbox/clock']) {
      expect((await ofOperator.send('GET', url)).status).toBe(401);
    }
    expect((await ofMerchant.send('GET', '/management/merchants')).status).toBe(403);
  });
});

describeOnEachStore('the session of an operator in the database', (open) => {
  it("ends with the operator's key", async () => {
    const { test, operator } = await startOperated(await open());
    const browser = await consoleBrowser(test.gateway, operator.key);
    await test.gateway.store.unit((db) => revokeOperatorKeys(db, operator.id, test.clock.now()));
    expect((await browser.send('GET', '/management/merchants')).status).toBe(401);
  });
});
