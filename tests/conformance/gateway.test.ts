import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { DECLARED_KINDS } from '../../conformance/src/core/check.ts';
import { measureCoverage } from '../../conformance/src/report/coverage.ts';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { startMock } from '../../contract/src/mock/server.ts';
import { startGateway } from '../../gateway/src/index.ts';
import { clauseNames, uncoveredClauses } from '../../scripts/conformance/traceability.ts';

test.concurrent('the gateway conforms on SQLite, and reaches every check except the one with the longest wait', async () => {
  const run = await verifyGateway();
  const { results, driver } = run;
  expectConforming(results);
  expect(driver.name).toBe('gateway');
  const coverage = measureCoverage(run);
  const unreached = DECLARED_KINDS.flatMap((kind) => coverage[kind].filter(({ count }) => count === 0));
  expect(unreached.map(({ name }) => name)).toEqual(['again after no reply']);
  // Give the clause a check, or explain it in EXCEPTIONS of scripts/conformance/traceability.ts.
  expect(uncoveredClauses(run)).toEqual([]);
  const page = await readFile(new URL('../../docs/conformance/traceability.md', import.meta.url), 'utf8');
  // Run `npm run conformance`.
  expect(clauseNames(run).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

/** Runs the kit against a gateway with two merchants. */
async function verifyGateway() {
  const { url: baseUrl, key, secret, addMerchant, close } = await startGateway();
  const { key: secondKey } = await addMerchant();
  const run = await verifyService({ baseUrl, key, secret, secondKey });
  await close();
  return run;
}

function expectConforming(results: Awaited<ReturnType<typeof verifyService>>['results']): void {
  const others = results.filter(({ verdict }) => verdict !== 'conforming');
  expect(others.map(({ id, verdict, findings }) => ({ id, verdict, findings }))).toEqual([
    { id: 'webhook/retry/no-reply', verdict: 'not reached', findings: [] },
  ]);
}

test.concurrent.each([['webhook/explained'], ['webhook/identity']])(
  'the gateway conforms to %s alone',
  async (only) => {
    const { url: baseUrl, key, secret, close } = await startGateway();
    const { results } = await verifyService({ baseUrl, key, secret, only: [only] });
    await close();
    expect(results.map(({ verdict, findings }) => ({ verdict, findings }))).toContainEqual({
      verdict: 'conforming',
      findings: [],
    });
    expect(results.filter(({ findings }) => findings.length > 0)).toEqual([]);
  },
);

test.concurrent('the mock returns every example of the contract', async () => {
  const mock = await startMock({ port: 0 });
  const { results, driver } = await verifyService({ baseUrl: mock.url });
  await mock.close();
  expect(results.filter(({ verdict }) => verdict !== 'conforming')).toEqual([]);
  expect(driver.name).toBe('prism');
});
