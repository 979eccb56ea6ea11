/** The kit against a gateway on PostgreSQL. Tests of a schema aren't concurrent, because it is dropped after the test. */
import { expect, test } from 'vitest';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { migrate } from '../../gateway/src/database/migrate.ts';
import { startGateway } from '../../gateway/src/index.ts';
import { postgresDatabase } from '../gateway/harness.ts';

test('the gateway conforms on PostgreSQL', async () => {
  const { address, connect } = await postgresDatabase();
  await migrate(connect());
  const { url: baseUrl, key, secret, addMerchant, close } = await startGateway({ store: address });
  const { key: secondKey } = await addMerchant();
  const { results } = await verifyService({ baseUrl, key, secret, secondKey });
  await close();
  const others = results.filter(({ verdict }) => verdict !== 'conforming');
  expect(others.map(({ id, verdict, findings }) => ({ id, verdict, findings }))).toEqual([
    { id: 'webhook/retry/no-reply', verdict: 'not reached', findings: [] },
  ]);
});
