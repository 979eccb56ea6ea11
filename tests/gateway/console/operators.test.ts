/** The operators' console with LIVE: who is let in, and what a session may do. The browser is in operators-browser.test.ts. */
import { describe, expect, it } from 'vitest';
import { readApiDocument } from '../../../gateway/src/http/gateway-apis.ts';
import { revokeOperatorKeys } from '../../../gateway/src/operators/operator-keys.ts';
import { addOperator } from '../harness/operators.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { describeOnEachStore, openTestSqlite } from '../harness/stores.ts';
import { inject, startTestGateway } from '../harness.ts';
import { startOperated } from '../management/operator.ts';
import { consoleBrowser } from './console.ts';

const HOME = '/management/console';
const HOUR_MS = 3_600_000;
const ADMIN = readApiDocument('management').operations;

/** A live gateway, and the browser of an operator who may only look. */
async function loggedIn(options: Parameters<typeof startOperated>[1] = {}) {
  const operated = await startOperated(await openTestSqlite(), options);
  const reader = await addOperator(operated.test, 'Kim', 'read');
  return { ...operated, reader, browser: await consoleBrowser(operated.test.gateway, reader.key, {}, HOME) };
}

describe('a live gateway', () => {
  it("serves the operators' console, and nothing of the sandbox's", async () => {
    const { test } = await loggedIn();
    const status = async (url: string) => (await inject(test.gateway, { url })).statusCode;
    expect(await status(HOME)).toBe(200);
    expect(await status(`${HOME}/login`)).toBe(200);
    for (const url of ['/console', '/console/login', '/console/sandbox.json', '/sandbox/merchant']) {
      expect({ url, status: await status(url) }).toEqual({ url, status: 404 });
    }
    for (const url of [`${HOME}/sandbox.json`, `${HOME}/contract.json`, `${HOME}/login/token`]) {
      expect({ url, status: await status(url) }).toEqual({ url, status: 404 });
    }
  });

  it("lets an operator with the role `read` see every merchant's payments in a session that scripts can't read", async () => {
    const { browser, decline, reader } = await loggedIn();
    expect(browser.login.statusCode).toBe(303);
    expect(browser.login.headers.location).toBe('../console');
    expect(JSON.stringify(browser.login.headers)).not.toContain(reader.key);
    expect(browser.login.headers['set-cookie']).toMatch(
      /^operators-\w+=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const id = await decline();
    const list = await browser.send('GET', '/management/payments');
    expect(list.body.data).toMatchObject([{ transaction_id: id, status: 'FAILED' }]);
    expect((await browser.send('GET', `/management/payments/${id}`)).body.events).toHaveLength(1);
  });

  it.each([
    ['a wrong key', async () => `op_${'x'.repeat(32)}`],
    ['no key', async () => ''],
    ['the key of a merchant', async ({ test }: Awaited<ReturnType<typeof loggedIn>>) => test.key],
    [
      'a revoked key',
      async ({ test, reader }: Awaited<ReturnType<typeof loggedIn>>) => {
        await test.gateway.store.unit((db) => revokeOperatorKeys(db, reader.id, test.clock.now()));
        return reader.key;
      },
    ],
  ])('refuses %s, without repeating it', async (_what, keyOf) => {
    const started = await loggedIn();
    const key = await keyOf(started);
    const { login } = await consoleBrowser(started.test.gateway, key, {}, HOME);
    expect(login.statusCode).toBe(401);
    expect(login.headers['set-cookie']).toBeUndefined();
    expect(login.body).toContain('This key is not valid.');
    if (key) expect(login.body).not.toContain(key);
    expect(await started.test.gateway.store.read.all('select * from operator_sessions')).toHaveLength(1);
  });

  it('logs who has logged in, without the key', async () => {
    const { log, lines } = recordingLog();
    const { reader, test } = await loggedIn({ log });
    await consoleBrowser(test.gateway, `op_${'x'.repeat(32)}`, {}, HOME);
    const logins = lines.filter(({ method, route }) => method === 'POST' && route === `${HOME}/login`);
    expect(logins.map(({ status, operator_id }) => [status, operator_id])).toEqual([
      [303, reader.id],
      [401, undefined],
    ]);
    expect(JSON.stringify(lines)).not.toContain(reader.key);
  });

  it('refuses a form that another site sent, and limits guesses by address', async () => {
    const { test, reader } = await loggedIn({ limits: { requestsPerSecond: 3 } });
    const { login } = await consoleBrowser(test.gateway, reader.key, { 'sec-fetch-site': 'cross-site' }, HOME);
    expect(login.statusCode).toBe(403);
    expect(login.headers['set-cookie']).toBeUndefined();
    // The API counts guesses of keys, and nothing else, so the login is refused for its guess, and not as one page too many.
    const guess = (index: number) =>
      inject(test.gateway, { url: '/management/merchants', headers: { authorization: `Bearer op_${index}` } });
    const guesses = await Promise.all([0, 1, 2, 3].map(guess));
    expect(guesses.map(({ statusCode }) => statusCode)).toContain(429);
    expect((await consoleBrowser(test.gateway, 'op_4', {}, HOME)).login.statusCode).toBe(429);
  });

  it('serves no console without OPERATORS_CONSOLE, and accepts no session then', async () => {
    const { test, browser } = await loggedIn();
    const without = (await startOperated(test.gateway.store, { operatorsConsole: false })).test;
    for (const url of [HOME, `${HOME}/login`]) {
      expect((await inject(without.gateway, { url })).statusCode).toBe(404);
    }
    const headers = { cookie: browser.cookie, 'x-console': '1' };
    const status = async ({ gateway }: typeof test) =>
      (await inject(gateway, { url: '/management/merchants', headers })).statusCode;
    expect([await status(test), await status(without)]).toEqual([200, 401]);
  });
});

describe('a session', () => {
  const changes = ADMIN.filter(({ method }) => method !== 'get').map(({ id, method, path }) => ({
    id,
    method: method.toUpperCase() as 'POST',
    path: path.replaceAll(/\{\w+\}/g, '1'),
  }));

  it.each(changes)('gets 403 from $id, even if its operator may approve', async ({ method, path }) => {
    const { test } = await loggedIn();
    const chief = await addOperator(test, 'Lee', 'approve');
    const browser = await consoleBrowser(test.gateway, chief.key, {}, HOME);
    expect((await browser.send('GET', '/management/merchants')).status).toBe(200);
    const { status, body } = await browser.send(method, path, {});
    expect(status).toBe(403);
    expect(body.detail).toBe("The console only reads. Send the operator's key instead of its session.");
  });

  it.each([
    ['without the header of the console', { 'x-console': undefined }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['with the origin of another site', { origin: 'https://evil.example' }],
    ['with another cookie', { cookie: `operators-80=${'x'.repeat(43)}` }],
  ])('does not count %s', async (_how, headers) => {
    const { browser } = await loggedIn();
    const { status, body } = await browser.send('GET', '/management/merchants', undefined, headers);
    expect(status).toBe(401);
    expect(body.type).toMatch(/unauthorized$/);
  });

  it("opens nothing but the management API, and the sandbox's session doesn't open that", async () => {
    const test = await startTestGateway({ sandbox: true });
    const operator = await addOperator(test);
    const ofOperator = await consoleBrowser(test.gateway, operator.key, {}, HOME);
    const ofMerchant = await consoleBrowser(test.gateway, test.key);
    expect((await ofOperator.send('GET', '/management/merchants')).status).toBe(200);
    for (const url of ['/merchant/balance', '/sandbox/merchant', '/sandbox/stream']) {
      expect((await ofOperator.send('GET', url)).status).toBe(401);
    }
    expect((await ofMerchant.send('GET', '/management/merchants')).status).toBe(401);
    const renamed = ofMerchant.cookie.replace(/^console/, 'operators');
    expect((await ofMerchant.send('GET', '/management/merchants', undefined, { cookie: renamed })).status).toBe(401);
  });

  it('has a cookie for https alone behind a proxy that says so', async () => {
    const { test, reader } = await loggedIn({ network: { trustProxy: ['127.0.0.1'] } });
    const { login } = await consoleBrowser(test.gateway, reader.key, { 'x-forwarded-proto': 'https' }, HOME);
    expect(login.headers['set-cookie']).toMatch(/^__Host-operators-.*; Secure; SameSite=Strict$/);
  });
});

describeOnEachStore("a session of the operators' console", (open) => {
  async function started() {
    const operated = await startOperated(await open());
    const { test, operator } = operated;
    const browser = await consoleBrowser(test.gateway, operator.key, {}, HOME);
    const status = async () => (await browser.send('GET', '/management/merchants')).status;
    return { ...operated, browser, status };
  }

  it('ends with a logout, also for those who have kept its cookie', async () => {
    const { browser, status } = await started();
    await browser.send('POST', `${HOME}/logout`, undefined, { 'sec-fetch-site': 'cross-site' });
    expect(await status()).toBe(200);
    const { headers } = await browser.send('POST', `${HOME}/logout`);
    expect(headers['set-cookie']).toMatch(/^operators-\w+=; .*Max-Age=0/);
    expect(await status()).toBe(401);
  });

  it('ends after 12 hours, and says where to log in again', async () => {
    const { browser, status, test } = await started();
    test.clock.advance(12 * HOUR_MS - 1);
    expect(await status()).toBe(200);
    test.clock.advance(1);
    const { body } = await browser.send('GET', '/management/merchants');
    expect(body.detail).toBe('The session has ended. Log in again at `/management/console/login`.');
  });

  it('ends with the key of its operator, at once', async () => {
    const { status, test, operator } = await started();
    await test.gateway.store.unit((db) => revokeOperatorKeys(db, operator.id, test.clock.now()));
    expect(await status()).toBe(401);
  });

  it('is kept as a hash, and removed when it has ended', async () => {
    const { browser, test, operator } = await started();
    const { store } = test.gateway;
    expect(JSON.stringify(await store.read.all('select * from operator_sessions'))).not.toContain(
      browser.cookie.split('=')[1],
    );
    test.clock.advance(13 * HOUR_MS);
    await consoleBrowser(test.gateway, operator.key, {}, HOME);
    expect(await store.read.all('select * from operator_sessions')).toHaveLength(1);
  });
});
