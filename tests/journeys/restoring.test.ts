/**
 * docs/operations/restoring.md: an operator restores a backup of SQLite or a dump of PostgreSQL, without a double
 * payout.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Channel, StatementEntry } from '../../gateway/src/channels/channel.ts';
import { payoutPause } from '../../gateway/src/channels/pauses.ts';
import { openPostgres } from '../../gateway/src/database/postgres/postgres-store.ts';
import { openSqlite } from '../../gateway/src/database/sqlite/sqlite-store.ts';
import { requestExamples } from '../../generated/examples.ts';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { createRunner } from '../gateway/commands/run-command.ts';
import { fund, payoutRequest } from '../gateway/harness/fixtures.ts';
import { createCaller } from '../gateway/harness/gateway.ts';
import { BANK } from '../gateway/harness/live.config.ts';
import { addOperator } from '../gateway/harness/operators.ts';
import { afterwards, startTestGateway, temporaryFolder } from '../gateway/harness.ts';
import { startOperated } from '../gateway/management/operator.ts';
import { startInstalledPostgres } from '../tools/installed-postgres.ts';
import { parseCommands } from './tools/commands.ts';
import { Document } from './tools/document.ts';

const document = new Document('docs/operations/restoring.md');
/** restoring.long.test.ts runs these. */
for (const part of ['pg_basebackup', 'recovery.signal']) document.take(part, 'sh');

const CONFIG = `import config, { BANK } from '${join(ROOT, 'tests/gateway/harness/live.config.ts')}';
export default { ...config, channels: [{ ...BANK, statement: (file) => JSON.parse(file) }] };`;

/** A bank that pays out, with a statement of all payouts. */
function bank() {
  const statement: StatementEntry[] = [];
  const channel: Channel = {
    ...BANK,
    async payOut({ id: transactionId, amount, currency }) {
      if (!statement.some((booking) => booking.transactionId === transactionId))
        statement.push({ transactionId, amount, currency });
      return { event: { type: 'succeeded' } };
    },
  };
  return { statement, options: { channels: [channel] } };
}

it('restores a backup and imports its missing payout, without a double payout', async () => {
  const folder = await temporaryFolder();
  const [file, restored] = [join(folder, 'payments.db'), join(folder, 'restored.db')];
  const [config, statementFile] = [join(folder, 'gateway.config.ts'), join(folder, 'statement.csv')];
  await writeFile(config, CONFIG);
  const here: Record<string, string> = {
    ...{ '/backups/payments-2026-03-02.db': join(folder, 'backup.db'), '/var/lib/payments/payments.db': restored },
    ...{ 'gateway.config.ts': config, 'statement.csv': statementFile },
  };
  const { statement, options } = bank();

  const before = await startOperated(openSqlite(file), options);
  await fund(before.test.gateway.store, before.test.merchant, 1_000_000);
  here['10001'] = String(before.test.merchant.id);
  const follow = async (part: string, env: Record<string, string>) => {
    const printed = [];
    for (const argv of parseCommands(document.take(part), here)) printed.push(await createRunner(env)(...argv));
    return printed;
  };
  expect(await follow('payments-gateway backup', { DATABASE_FILE: file })).toMatchObject([{ code: 0 }]);
  const order = payoutRequest({ merchant_order_id: 'order-1001', amount: 60_000 });
  const { transaction_id: lost } = (await before.test.call('POST', '/payouts', order)).body;
  await before.test.gateway.idle();
  expect(statement).toMatchObject([{ transactionId: lost }]);
  await before.test.gateway.close();

  const copy = document.take('cp /backups/payments');
  await run('sh', ['-c', Object.entries(here).reduce((text, [from, to]) => text.replaceAll(from, to), copy)]);
  const local = { DATABASE_FILE: restored, CONFIG: config };
  expect(await follow('payments-gateway restored', local)).toMatchObject([{ code: 0 }, { code: 0 }]);

  const { test } = await startOperated(openSqlite(restored), options);
  const merchant = createCaller(test.gateway, before.test.key);
  const waiting = await merchant('POST', '/payouts', { ...order, merchant_order_id: 'order-1002' });
  await test.gateway.idle();
  const reconcile = async () => {
    await writeFile(statementFile, JSON.stringify(statement));
    const [ran] = await follow('payments-gateway reconcile', local);
    return ran;
  };
  expect(await reconcile()).toMatchObject({ code: 1, stdout: expect.stringContaining(`${lost}: unknown here`) });

  const GATEWAY_URL = await test.gateway.listen({ host: '127.0.0.1', port: 0 });
  const [dana, lee] = [await addOperator(test), await addOperator(test, 'Lee', 'approve')];
  here['out_01KJPWD6M0J09BZPCH3ETT3T8F'] = lost;
  const [proposed] = await follow('payments-gateway import', { GATEWAY_URL, OPERATOR_KEY: dana.key });
  here['prp_01KJPWD6M0J09BZPCH3ETT3T8G'] = /prp_\w+/.exec(proposed?.stdout ?? '')?.[0] ?? '';
  expect(await follow('proposal approve', { GATEWAY_URL, OPERATOR_KEY: lee.key })).toMatchObject([{ code: 0 }]);
  const repeated = await merchant('POST', '/payouts', order);
  expect([repeated.status, repeated.body.transaction_id]).toEqual([409, lost]);
  expect(await reconcile()).toMatchObject({ code: 0 });

  expect(await follow('payout resume', { GATEWAY_URL, OPERATOR_KEY: lee.key })).toMatchObject([{ code: 0 }]);
  test.clock.advance(30_000);
  await test.gateway.idle();
  expect(statement.map(({ transactionId }) => transactionId)).toEqual([lost, waiting.body.transaction_id]);
  expect(await createRunner(local)('audit')).toMatchObject({ code: 0 });
});

it('restores a dump taken under a running gateway with the same transactions and books, and pauses payouts', {
  timeout: 60_000,
}, async (context) => {
  const [dump, restore] = [document.take('pg_dump'), document.take('createdb restored')];
  const postgres = await startInstalledPostgres();
  if (!postgres) return context.skip('no PostgreSQL with pg_dump and pg_restore is installed here');
  afterwards(() => postgres.close());
  const from = postgres.url('postgres');
  const gateway = await startTestGateway({ store: openPostgres(from) });
  const { body } = requestExamples.createPayment['h2h-upi'];
  const before = await gateway.call('POST', '/payments', body);
  await createRunner({ DATABASE_URL: from })('fund', String(gateway.merchant.id), '250000', 'INR');

  await postgres.shell(dump.replace('$DATABASE_URL', from));
  const after = await gateway.call('POST', '/payments', { ...body, merchant_order_id: 'after-the-backup' });
  expect(after.status).toBe(200);

  await postgres.shell(restore);
  const to = postgres.url('restored');
  expect(await createRunner({ DATABASE_URL: to })('audit')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ 1 entries, 0 differences\n$/),
  });
  const restored = await startTestGateway({ store: openPostgres(to) });
  const merchant = createCaller(restored.gateway, gateway.key);
  expect((await merchant('GET', `/payments/${before.body.transaction_id}`)).status).toBe(200);
  expect((await merchant('GET', `/payments/${after.body.transaction_id}`)).status).toBe(404);
  expect(await payoutPause(restored.gateway.store.read)).toMatchObject({ reason: expect.stringContaining('restored') });
});

it('leaves no block untested', () => {
  expect(document.leftOut()).toEqual([]);
});
