import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startGateway } from '../../../gateway/src/index.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { temporaryFolder } from '../../tools/temporary.ts';
import { startBroken } from '../kit.ts';

/** A suite as an implementer writes it. */
const suite = (services: readonly object[]) => `
import { describeConformance } from '${join(ROOT, 'conformance/src/vitest.ts')}';
for (const service of ${JSON.stringify(services)}) {
  describeConformance({ ...service, baseUrl: async () => service.started, timeoutMs: 2000 });
}`;

interface Outcome {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

it('each check is a test, which passes, fails or is skipped as its check does', async () => {
  const { url: baseUrl, key, secret, close } = await startGateway();
  const broken = await startBroken();
  const folder = await temporaryFolder('conformance-suite');
  const services = [
    { only: ['replay/getBalance', 'isolation/getPayment'], started: { baseUrl, key, secret } },
    { only: ['replay/getBalance'], started: { baseUrl: broken.url } },
  ];
  await writeFile(join(folder, 'service.test.ts'), suite(services));
  const report = join(folder, 'report.json');
  const args = ['run', '--root', folder, '--reporter=json', `--outputFile=${report}`];
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { code } = await run(process.execPath, [vitest, ...args], { allowFailure: true, cwd: folder });
  await Promise.all([close(), broken.close()]);

  const { default: results } = await import(report, { with: { type: 'json' } });
  const outcomes: Outcome[] = results.testResults[0].assertionResults;
  const findStatus = (name: string) =>
    outcomes.filter(({ fullName }) => fullName.includes(name)).map(({ status }) => status);
  expect(code).toBe(1);
  expect(findStatus('replay/getBalance/new-merchant')).toEqual(['passed', 'failed']);
  expect(findStatus('isolation/getPayment')).toEqual(['skipped']);
  expect(findStatus('shows that the service conforms')).toEqual(['passed', 'failed']);
  const failed = outcomes.find(({ status }) => status === 'failed');
  expect(failed?.failureMessages.join()).toMatch(/expected present, found nothing[\s\S]*\$ curl -i/);
});
