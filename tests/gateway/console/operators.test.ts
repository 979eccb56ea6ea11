/** Operators in the console: logging in, with LIVE too, and the permissions of their sessions. */
import { describe, expect, it } from 'vitest';
import { createOperatorKey, revokeOperatorKeys } from '../../../gateway/src/operators/operator-keys.ts';
import { setOperatorRole } from '../../../gateway/src/operators/operators.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { addOperator } from '../harness/operators.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { describeOnEachStore, openTestSqlite } from '../harness/stores.ts';
import { inject, startTestGateway } from '../harness.ts';
import { startOperated } from '../management/operator.ts';
import { consoleBrowser } from './console.ts';

const HOUR_MS = 3_600_000;

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
    for (const url of ['/console', '/console/login', '/console/management.json', '/console/contract.json']) {
      expect({ url, status: await status(url) }).toEqual({ url, status: 200 });
    }
    for (const url of ['/console/sandbox.json', '/console/login/token', '/sandbox/clock']) {
      expect({ url, status: await status(url) }).toEqual({ url, status: 404 });
    }
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
    for (const url of ['/console', '/console/login']) {
      expect((await inject(without.gateway, { url })).statusCode).toBe(404);
    }
    const headers = { cookie: browser.cookie, 'x-console': '1' };
    const status = async ({ gateway }: typeof test) =>
      (await inject(gateway, { url: '/management/merchants', headers })).statusCode;
    expect([await status(test), await status(without)]).toEqual([200, 401]);
  });
});

describe('a session', () => {
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
    test.clock.advance(HOUR_MS - 1);
    expect((await browser.send('GET', '/management/merchants')).status).toBe(200);
    test.clock.advance(1);
    expect((await browser.send('GET', '/management/merchants')).status).toBe(401);
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

describeOnEachStore('the session of an operator', (open) => {
  async function started() {
    const operated = await startOperated(await open());
    const { test, operator } = operated;
    const browser = await consoleBrowser(test.gateway, operator.key);
    const status = async () => (await browser.send('GET', '/management/merchants')).status;
    return { ...operated, browser, status };
  }

  it("ends with the operator's key", async () => {
    const { status, test, operator } = await started();
    await test.gateway.store.unit((db) => revokeOperatorKeys(db, operator.id, test.clock.now()));
    expect(await status()).toBe(401);
  });
});
