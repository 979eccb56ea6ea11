/** The types of problems lead to an existing reference. */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { problemType } from '../../tools/problems.ts';
import { sqliteDatabase, startTestGateway } from '../harness.ts';
import { startProcess } from '../processes/gateways.ts';
import { createRunner, toEnvironment } from './run-command.ts';

const LIVE = {
  LIVE: 'true',
  SECRETS_KEY: randomBytes(32).toString('base64'),
  CONFIG: fileURLToPath(new URL('../harness/live.config.ts', import.meta.url)),
  DRAIN_MS: '0',
};

const NAME = 'unauthorized';

it('live gateways have them at PUBLIC_URL with the reference, never at a placeholder', async () => {
  const database = toEnvironment(await sqliteDatabase());
  await createRunner({ ...database, ...LIVE })('migrate', '--mode', 'live');
  const gateway = await startProcess({ ...database, ...LIVE, PUBLIC_URL: 'https://pay.example.com/v1/' });
  const { body } = await gateway.call('GET', '/merchant/balance', 'none');
  expect(body.type).toBe(`https://pay.example.com/v1/problems/${NAME}`);
  const { status, headers } = await fetch(`${gateway.url}/problems/${NAME}`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, `/docs/errors#${NAME}`]);
  expect(await gateway.end('SIGTERM')).toBe(0);
});

it("all gateways have the contract's, or REFERENCE_URL", async () => {
  const typeIn = async (referenceUrl?: () => string) => {
    const { call } = await startTestGateway({ referenceUrl });
    return (await call('GET', '/merchant/balance', undefined, { authorization: 'Bearer sk_test_unknown' })).body.type;
  };
  expect(await typeIn()).toBe(problemType(NAME));
  expect(await typeIn(() => 'https://docs.shop.example')).toBe(`https://docs.shop.example/problems/${NAME}`);
});
