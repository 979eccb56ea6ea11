/** Checks of the user: a module, and a limit of the response time. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OwnCheck } from '../../conformance/src/core/settings.ts';
import { assess } from '../../conformance/src/run/assess.ts';
import { createRules } from '../../conformance/src/run/rules.ts';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { startGateway } from '../../gateway/src/index.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { runKit } from './kit.ts';

let gateway: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const merchantIds: OwnCheck = {
  id: 'merchant-id',
  title: 'Merchants have an ID above 1,000,000',
  async run({ request, payment }) {
    const { body, status } = await request('GET', '/merchant/balance');
    const { status: paid } = await payment({ flow: 'h2h', until: 'SUCCESS' });
    const id = Number((body as { merchant_id: number }).merchant_id);
    if (status === 200 && paid === 'SUCCESS' && id > 1_000_000) return [];
    return [{ at: 'merchant_id', expected: 'above 1000000', found: `${id}` }];
  },
};

async function verify(options: object) {
  const { url: baseUrl, key } = gateway;
  const verification = await verifyService({ baseUrl, key, driver: 'gateway', ...options });
  return assess(verification, createRules(verification.contract, options));
}

it('runs checks of a module, with the driver, and fails the run with their findings', async () => {
  const { results, exitCode } = await verify({ checks: [merchantIds], only: ['own'] });
  expect(results).toMatchObject([
    { id: 'own/merchant-id', verdict: 'violating', findings: [{ at: 'merchant_id' }], failure: 'violating' },
  ]);
  expect(results[0]?.findings[0]?.exchange?.method).toBe('GET');
  expect(exitCode).toBe(1);
});

it('names the slowest responses over the limit', async () => {
  const { results } = await verify({ maxResponseTime: 0, only: ['own', 'replay/getBalance'] });
  expect(results.find(({ id }) => id === 'own/response-time')).toMatchObject({
    ...{ verdict: 'violating', clause: { rests: '--max-response-time' } },
  });
  const { results: quick } = await verify({ maxResponseTime: 60_000, only: ['own', 'replay/getBalance'] });
  expect(quick.every(({ verdict }) => verdict === 'conforming')).toBe(true);
});

it.each([
  [
    'lists the checks of --checks',
    'export const checks = [{ id: "a", title: "Is good", run: async () => [] }];',
    0,
    'own/a',
  ],
  ['refuses a module without checks', 'export default 7;', 2, 'export `checks`'],
])('%s', async (_what, text, code, shown) => {
  const file = join(await temporaryFolder('own-checks'), 'checks.mjs');
  await writeFile(file, text);
  const result = await runKit('--list', '--checks', file);
  expect({ code: result.code, out: `${result.stdout}${result.stderr}` }).toEqual({
    code,
    out: expect.stringContaining(shown),
  });
});
