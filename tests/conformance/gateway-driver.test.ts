/** The kit's driver for payments-gateway, with a sandbox that creates merchants only with its own key. */
import { beforeEach, expect, it, vi } from 'vitest';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { startTestGateway } from '../gateway/harness.ts';

const SANDBOX_KEY = 'a-sandbox-key-of-enough-characters';
const CHECK = 'disturbance/getBalance/503';

beforeEach(() => () => vi.unstubAllEnvs());

async function verify() {
  const test = await startTestGateway({ sandbox: true, sandboxMerchants: { sandboxKey: SANDBOX_KEY } });
  const baseUrl = await test.gateway.listen({ host: '127.0.0.1', port: 0 });
  const { results } = await verifyService({ baseUrl, key: test.key, driver: 'gateway', only: [CHECK] });
  return results.map(({ id, verdict, reason }) => ({ id, verdict, reason }));
}

it('disturbs requests with the SANDBOX_KEY of the environment', async () => {
  vi.stubEnv('SANDBOX_KEY', SANDBOX_KEY);
  expect(await verify()).toEqual([{ id: CHECK, verdict: 'conforming', reason: undefined }]);
});

it('names the variables that the sandbox needs and the environment lacks', async () => {
  vi.stubEnv('SANDBOX_KEY', undefined);
  const reason = expect.stringContaining('Send `Authorization: Bearer <SANDBOX_KEY>`');
  expect(await verify()).toEqual([{ id: CHECK, verdict: 'not reached', reason }]);
});
