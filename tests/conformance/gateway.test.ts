import { expect, test } from 'vitest';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { startMock } from '../../contract/src/mock/server.ts';
import { startGateway } from '../../gateway/src/index.ts';

test('the gateway conforms, and every check but that of the longest wait is reached', async () => {
  const { url: baseUrl, key, secret, addMerchant, close } = await startGateway();
  const { key: secondKey } = await addMerchant();
  const { results, driver } = await verifyService({ baseUrl, key, secret, secondKey });
  await close();
  const others = results.filter(({ verdict }) => verdict !== 'conforming');
  expect(others.map(({ id, verdict, findings }) => ({ id, verdict, findings }))).toEqual([
    { id: 'webhook/retry/no-reply', verdict: 'not reached', findings: [] },
  ]);
  expect(driver.name).toBe('gateway');
}, 60_000);

test('the mock returns every example of the contract', async () => {
  const mock = await startMock({ port: 0 });
  const { results, driver } = await verifyService({ baseUrl: mock.url });
  await mock.close();
  expect(results.filter(({ verdict }) => verdict !== 'conforming')).toEqual([]);
  expect(driver.name).toBe('prism');
}, 60_000);
