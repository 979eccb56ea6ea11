import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { DECLARED_KINDS } from '../../conformance/src/core/check.ts';
import { measureCoverage } from '../../conformance/src/report/coverage.ts';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { startMock } from '../../contract/src/mock/server.ts';
import { startGateway } from '../../gateway/src/index.ts';
import { clauseNames, uncoveredClauses } from '../../scripts/conformance/traceability.ts';

/** Runs the kit against a gateway with two merchants. */
async function verifyGateway(only?: readonly string[]) {
  const { url: baseUrl, key, secret, addMerchant, close } = await startGateway();
  const { key: secondKey } = await addMerchant();
  const run = await verifyService({ baseUrl, key, secret, secondKey, ...(only && { only }) });
  await close();
  const others = run.results.filter(({ verdict }) => verdict !== 'conforming');
  return { run, others: others.map(({ id, verdict, findings }) => ({ id, verdict, findings })) };
}

test.concurrent('the gateway conforms on SQLite, and reaches every check except the one with the longest wait', async () => {
  const { run, others } = await verifyGateway();
  expect(others).toEqual([{ id: 'webhook/retry/no-reply', verdict: 'not reached', findings: [] }]);
  expect(run.driver.name).toBe('gateway');
  const coverage = measureCoverage(run);
  const unreached = DECLARED_KINDS.flatMap((kind) => coverage[kind].filter(({ count }) => count === 0));
  expect(unreached.map(({ name }) => name)).toEqual(['again after no reply']);
  // Give the clause a check, or explain it in EXCEPTIONS of scripts/conformance/traceability.ts.
  expect(uncoveredClauses(run)).toEqual([]);
  const page = await readFile(new URL('../../docs/conformance/traceability.md', import.meta.url), 'utf8');
  // Run `npm run conformance`.
  expect(clauseNames(run).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test.concurrent('the gateway conforms to a rule of webhooks that runs alone, for which the kit creates one', async () => {
  const { others } = await verifyGateway(['webhook/explained']);
  expect(others).toEqual([]);
});

test.concurrent('the mock returns every example of the contract', async () => {
  const mock = await startMock({ port: 0 });
  const { results, driver } = await verifyService({ baseUrl: mock.url });
  await mock.close();
  expect(results.filter(({ verdict }) => verdict !== 'conforming')).toEqual([]);
  expect(driver.name).toBe('prism');
});
