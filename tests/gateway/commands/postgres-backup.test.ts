/** The backup of PostgreSQL by its own tools, as docs/operations.md describes it. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openPostgres } from '../../../gateway/src/store/engine/postgres/postgres-store.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { startInstalledPostgres } from '../../tools/installed-postgres.ts';
import { afterwards, startTestGateway, temporaryFolder } from '../harness.ts';
import { commandsWith } from './run-command.ts';

it('pg_dump under a running gateway and pg_restore give the same transactions and books', {
  timeout: 60_000,
}, async (context) => {
  const postgres = await startInstalledPostgres();
  if (!postgres) return context.skip('no PostgreSQL with pg_dump and pg_restore is installed here');
  afterwards(() => postgres.close());
  const dump = join(await temporaryFolder(), 'payments.dump');
  const from = postgres.url('postgres');
  const gateway = await startTestGateway({ store: openPostgres(from) });
  const { body } = requestExamples.createPayment['h2h-upi'];
  const before = await gateway.call('POST', '/payments', body);
  await commandsWith({ DATABASE_URL: from })('fund', String(gateway.merchant.id), '250000', 'INR');

  await postgres.run('pg_dump', '--format=custom', `--file=${dump}`, from);
  const after = await gateway.call('POST', '/payments', { ...body, merchant_order_id: 'after-the-backup' });
  expect(after.status).toBe(200);

  await postgres.run('createdb', `--maintenance-db=${from}`, 'restored');
  const to = postgres.url('restored');
  await postgres.run('pg_restore', '--exit-on-error', '--single-transaction', `--dbname=${to}`, dump);
  expect(await commandsWith({ DATABASE_URL: to })('audit')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ 1 entries, 0 differences\n$/),
  });
  const restored = await startTestGateway({ store: openPostgres(to) });
  const read = (id: string) =>
    restored.call('GET', `/payments/${id}`, undefined, { authorization: `Bearer ${gateway.key}` });
  expect((await read(before.body.transaction_id)).status).toBe(200);
  expect((await read(after.body.transaction_id)).status).toBe(404);
});
