import { expect, test } from 'vitest';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { startGateway } from '../../gateway/src/index.ts';

test('the gateway keeps the contract', async () => {
  const gateway = await startGateway();
  const { results } = await verifyService({ baseUrl: gateway.url, key: gateway.key, secret: gateway.secret });
  await gateway.close();
  const others = results.filter(({ verdict }) => verdict !== 'conforming');
  expect(others.map(({ id, verdict, reason, findings }) => ({ id, verdict, reason, findings }))).toEqual([]);
});
