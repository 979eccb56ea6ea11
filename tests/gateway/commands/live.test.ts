/** The console of a live gateway with a real channel, and client commands against it. */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { problemType } from '../../tools/problems.ts';
import { GATEWAY, startServer } from '../../tools/server.ts';
import { afterwards, sqliteDatabase, startTestGateway } from '../harness.ts';
import { startProcess } from '../processes/gateways.ts';
import { runClient } from './client-commands.ts';
import { createRunner, toEnvironment } from './run-command.ts';

const LIVE = {
  LIVE: 'true',
  SECRETS_KEY: randomBytes(32).toString('base64'),
  CONFIG: fileURLToPath(new URL('../../../gateway/examples/http-channel/gateway.config.ts', import.meta.url)),
  ...{
    PROVIDER_URL: 'http://127.0.0.1:9',
    PROVIDER_KEY: 'key-of-the-gateway',
    PROVIDER_SECRET: 'secret-of-the-provider',
  },
  DRAIN_MS: '0',
};

async function start(settings: Readonly<Record<string, string>> = {}) {
  const env = { ...toEnvironment(await sqliteDatabase()), ...LIVE, ...settings };
  const commands = createRunner(env);
  await commands('migrate', '--mode', 'live');
  const { stdout } = await commands('operator', 'create', 'Kim', '--role', 'read');
  const gateway = await startServer([GATEWAY, 'start'], { env: { ...env, PORT: '0', LOG_LEVEL: 'silent' } });
  afterwards(() => gateway.end('SIGTERM'));
  return { gateway, commands, key: /op_[\w-]+/.exec(stdout)?.[0] ?? '' };
}

it('lets an operator log in and read the channels', async () => {
  const { gateway, key } = await start();
  const home = `${gateway.url}/console`;
  expect((await fetch(home)).status).toBe(200);
  const login = await fetch(`${home}/login`, {
    method: 'POST',
    body: new URLSearchParams({ key }),
    redirect: 'manual',
  });
  expect(login.status).toBe(303);
  const [cookie = ''] = login.headers.get('set-cookie')?.split(';') ?? [];
  const channels = await fetch(`${gateway.url}/management/channels`, { headers: { cookie, 'x-console': '1' } });
  expect(await channels.json()).toMatchObject({ data: [{ name: 'bank' }] });
});

it('has no sandbox, which sandbox commands explain', async () => {
  const { gateway, key } = await start();
  const { code, err } = await runClient({ url: gateway.url, key }, 'clock', 'get');
  expect({ code, err }).toEqual({ code: 1, err: `${gateway.url} has no sandbox. A gateway with LIVE has none.\n` });
});

it('gets no transaction from trigger', async () => {
  const { gateway, commands } = await start();
  const { stdout } = await commands('merchant', 'create', 'Shop', 'INR', '--live');
  const key = /sk_live_\S+/.exec(stdout)?.[0] ?? '';
  const { code, err } = await runClient({ url: gateway.url, key }, 'trigger', 'paymentSucceeded');
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('has no sandbox') });
  expect((await commands('export', 'transactions')).stderr).toContain('\n0 transactions\n');
});

const WITHOUT_PROVIDER = {
  LIVE: 'true',
  SECRETS_KEY: randomBytes(32).toString('base64'),
  CONFIG: fileURLToPath(new URL('../harness/live.config.ts', import.meta.url)),
  DRAIN_MS: '0',
};

const NAME = 'unauthorized';

it('live gateways have them at PUBLIC_URL with the reference, never at a placeholder', async () => {
  const database = toEnvironment(await sqliteDatabase());
  await createRunner({ ...database, ...WITHOUT_PROVIDER })('migrate', '--mode', 'live');
  const gateway = await startProcess({ ...database, ...WITHOUT_PROVIDER, PUBLIC_URL: 'https://pay.example.com/v1/' });
  const { body } = await gateway.call('GET', '/merchant/balance', 'none');
  expect(body.type).toBe(`https://pay.example.com/v1/problems/${NAME}`);
  const { status, headers } = await fetch(`${gateway.url}/problems/${NAME}`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, `/docs/errors#${NAME}`]);
  expect(await gateway.end('SIGTERM')).toBe(0);
});

it("gateways without LIVE have the contract's", async () => {
  const { call } = await startTestGateway();
  const { body } = await call('GET', '/merchant/balance', undefined, { authorization: 'Bearer sk_test_unknown' });
  expect(body.type).toBe(problemType(NAME));
});
