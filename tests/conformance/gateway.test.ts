/** The gateway passes what any implementation is measured by: the contract tests and the Arazzo workflows. */
import { readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadContract } from '../../conformance/src/contract.ts';
import { planChecks } from '../../conformance/src/plan.ts';
import { preflight } from '../../conformance/src/preflight.ts';
import { runChecks } from '../../conformance/src/run.ts';
import { systemClock } from '../../gateway/src/platform/clock.ts';
import type { Store } from '../../gateway/src/store/store.ts';
import { postEntry } from '../../gateway/src/store/wallets.ts';
import { ROOT } from '../../scripts/tools/process.ts';
import { redocly } from '../../scripts/tools/redocly.ts';
import { describeOnEachStore, startTestGateway } from '../gateway/harness.ts';

const WORKFLOWS = join(ROOT, 'openapi/workflows');

/** A gateway that listens, with a merchant whose wallets are full. */
async function listening(store: Store) {
  const { gateway, merchant, key } = await startTestGateway({ store, clock: systemClock });
  await store.unit(async (db) => {
    for (const currency of ['INR', 'EGP', 'MAD', 'DZD']) {
      const posting = { merchantId: merchant.id, currency, transactionId: null, now: Date.now() };
      await postEntry(db, { from: 'bank', to: 'available', amount: 100_000_000, reason: 'funded' }, posting);
    }
  });
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  return { url: `http://127.0.0.1:${(gateway.app.server.address() as AddressInfo).port}`, key };
}

describeOnEachStore('the gateway', (open) => {
  it('conforms to the contract in everything that the contract tests reach', async () => {
    const { url, key } = await listening(await open());
    const contract = loadContract();
    const settings = { baseUrl: url, key, timeoutMs: 10_000, runId: 'conformance' };
    const mode = await preflight(contract, settings);
    const results = await runChecks(planChecks(contract, { ...settings, mode }));
    expect(mode).toBe('replay');
    expect(results.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(new Set(results.filter(({ state }) => state === 'passed').map(({ operation }) => operation)).size).toBe(8);
  });

  it.each(readdirSync(WORKFLOWS))('plays the workflow %s', async (file) => {
    const { url, key } = await listening(await open());
    const inputs = { api_key: key, order_id: 'order-workflow' };
    const args = Object.entries(inputs).flatMap(([name, value]) => ['-i', `${name}=${value}`]);
    const { code, stdout } = await redocly(['respect', join(WORKFLOWS, file), '-S', `api=${url}`, ...args], {
      allowFailure: true,
    });
    expect(code, stdout).toBe(0);
  });
});
