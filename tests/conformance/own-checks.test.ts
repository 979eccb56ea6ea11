/** Checks of the user: a module, and a limit of the response time. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { OwnCheck } from '../../conformance/src/core/settings.ts';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { startGateway } from '../../gateway/src/index.ts';
import { ROOT } from '../../scripts/tools/process.ts';
import { afterwards } from '../gateway/harness.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { runKit } from './kit.ts';

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
  const { url: baseUrl, key, close } = await startGateway();
  afterwards(close);
  const only = ['own', 'replay/getBalance'];
  const { results } = await verifyService({ baseUrl, key, driver: 'gateway', only, ...options });
  return results;
}

it('runs checks of a module, with the driver', async () => {
  const found = (await verify({ checks: [merchantIds] })).find(({ id }) => id === 'own/merchant-id');
  expect(found).toMatchObject({ verdict: 'violating', findings: [{ at: 'merchant_id', exchange: { method: 'GET' } }] });
});

it.each([
  [0, 'violating'],
  [60_000, 'conforming'],
])('names the slowest responses over the limit of %i ms', async (maxResponseTime, verdict) => {
  const found = (await verify({ maxResponseTime })).find(({ id }) => id === 'own/response-time');
  expect(found).toMatchObject({ verdict, clause: { rests: '--max-response-time' } });
});

it('lists the checks of --checks, and refuses a module without checks', async () => {
  const file = join(await temporaryFolder('own-checks'), 'checks.mjs');
  await writeFile(file, 'export const checks = [{ id: "a", title: "", run: async () => [] }];');
  expect((await runKit('--list', '--checks', file)).stdout).toContain('own/a');
  const other = await runKit('--list', '--checks', join(ROOT, 'conformance/src/index.ts'));
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('export `checks`') });
});
