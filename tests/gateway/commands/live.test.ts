/** A live gateway as a process: its problem types, and client commands without a sandbox. */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { sqliteDatabase } from '../harness.ts';
import { startProcess } from '../processes/gateways.ts';
import { createRunner, toEnvironment } from './run-command.ts';

it('serves the types of its problems at PUBLIC_URL, and creates no transaction for trigger', async () => {
  const env = {
    ...toEnvironment(await sqliteDatabase()),
    ...{ LIVE: 'true', SECRETS_KEY: randomBytes(32).toString('base64'), DRAIN_MS: '0' },
    CONFIG: fileURLToPath(new URL('../harness/live.config.ts', import.meta.url)),
    PUBLIC_URL: 'https://pay.example.com/v1/',
  };
  const commands = createRunner(env);
  await commands('migrate', '--mode', 'live');
  const gateway = await startProcess(env);
  const { stdout } = await commands('merchant', 'create', 'Shop', 'INR', '--live');
  const key = /sk_live_\S+/.exec(stdout)?.[0] ?? '';
  const triggered = await createRunner({ GATEWAY_URL: gateway.url, API_KEY: key })('trigger', 'paymentSucceeded');
  expect(triggered).toMatchObject({ code: 1, stderr: expect.stringContaining('has no sandbox') });
  expect((await commands('export', 'transactions')).stderr).toContain('\n0 transactions\n');
  const { body } = await gateway.call('GET', '/merchant/balance', 'none');
  expect(body.type).toBe('https://pay.example.com/v1/problems/unauthorized');
  const { status, headers } = await fetch(`${gateway.url}/problems/unauthorized`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, '/docs/errors#unauthorized']);
});
