/**
 * docs/operations/daily-work.md: two operators look up transactions, end those left open by a channel, and correct
 * money.
 */
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import type { Channel } from '../../gateway/src/channels/channel.ts';
import { auditStore } from '../../gateway/src/management/audit.ts';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { createRunner } from '../gateway/commands/run-command.ts';
import { fund, paymentRequest, payoutRequest } from '../gateway/harness/fixtures.ts';
import { BANK } from '../gateway/harness/live.config.ts';
import { addOperator } from '../gateway/harness/operators.ts';
import { openTestSqlite } from '../gateway/harness/stores.ts';
import { afterwards, temporaryFolder } from '../gateway/harness.ts';
import { startOperated } from '../gateway/management/operator.ts';
import { listenOnLoopback } from '../tools/loopback.ts';
import { GATEWAY } from '../tools/server.ts';
import { parseCommands } from './tools/commands.ts';
import { Document } from './tools/document.ts';

const document = new Document('docs/operations/daily-work.md');

const DECLINED = { amount: 10_000, customer: { id: 'declined' } };

const isDeclined = ({ customer }: { customer: { id: string } }) => customer.id === DECLINED.customer.id;

/** A channel that declines some customers' transactions, and reports their success later. It never ends the others. */
const CHANGING: Channel = {
  ...BANK,
  async initiate(payment) {
    if (isDeclined(payment)) return { event: { type: 'declined', reason: 'BANK_REJECTED' } };
    const payData = { receiver_account: 'shop@bank', available_amounts: [49_900] };
    return { event: { type: 'confirmation_needed', payData, confirm: ['tid'] } };
  },
  async payOut(payout) {
    if (isDeclined(payout)) return { event: { type: 'declined', reason: 'BANK_REJECTED' } };
    throw new Error('the bank does not respond');
  },
  verify: async ({ amount }) => ({ event: { type: 'succeeded', amountPaid: amount } }),
  verifyPayout: async () => ({ event: { type: 'succeeded' } }),
  notification: ({ body }) => new TextDecoder().decode(body),
};

it("reconciles the statement of the day before with the guide's script, and closes what differs", async () => {
  const script = document.take('curl --fail');
  const commands = document.take('reconcile accept');
  const folder = await temporaryFolder();
  const provider = createServer((request, response) => {
    expect(request.headers.authorization).toBe('Bearer secret');
    response.end(JSON.stringify([{ transactionId: 'out_unknown', amount: 500, currency: 'INR' }]));
  });
  const { url: PROVIDER_URL, close } = await listenOnLoopback(provider);
  afterwards(close);
  const config = `import config, { BANK } from '${join(ROOT, 'tests/gateway/harness/live.config.ts')}';
    export default { ...config, channels: [{ ...BANK, statement: (file) => JSON.parse(file) }] };`;
  await writeFile(join(folder, 'gateway.config.ts'), config);
  await writeFile(join(folder, 'payments-gateway'), `#!/bin/sh\nexec '${process.execPath}' '${GATEWAY}' "$@"\n`, {
    mode: 0o755,
  });
  const env = { DATABASE_FILE: join(folder, 'payments.db'), CONFIG: join(folder, 'gateway.config.ts') };
  const ofProvider = { PROVIDER_KEY: 'secret', PROVIDER_URL };
  const here = createRunner(env);
  await here('migrate');
  const ran = await run('sh', ['-c', script], {
    cwd: folder,
    env: { ...env, ...ofProvider, PATH: [folder, process.env['PATH']].join(delimiter) },
    allowFailure: true,
  });
  expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining('1 open differences of the channel bank\n') });
  const [id = ''] = /dif_\w+/.exec(ran.stdout) ?? [];
  const printed = [];
  for (const argv of parseCommands(commands, { dif_01KJPWD6M0J09BZPCH3ETT3T8R: id })) printed.push(await here(...argv));
  expect(printed.map(({ code, stdout }) => [code, stdout.includes(id)])).toEqual(printed.map(() => [0, true]));
  expect(await here('reconcile', 'bank')).toMatchObject({ code: 0 });
});

it("operators do their daily work with the guide's commands, and the books stay balanced", async () => {
  const { test } = await startOperated(await openTestSqlite(), { channels: [CHANGING] });
  const { gateway, call, merchant } = test;
  await fund(gateway.store, merchant, 1_000_000);
  const url = await gateway.listen({ host: '127.0.0.1', port: 0 });

  expect(parseCommands(document.take('operator create'))).toEqual([
    ['operator', 'create', 'Dana'],
    ['operator', 'create', 'Lee', '--role', 'approve'],
  ]);
  const keys = { dana: (await addOperator(test, 'Dana')).key, lee: (await addOperator(test, 'Lee', 'approve')).key };
  expect(document.take('export')).toMatch(/^export GATEWAY_URL=\S+\nexport OPERATOR_KEY=op_…\n$/);
  const as = (key: string) => createRunner({ GATEWAY_URL: url, OPERATOR_KEY: key });

  const created = async (path: string, body: object) => {
    const { transaction_id: id } = (await call('POST', path, body)).body;
    await gateway.idle();
    return id as string;
  };
  const here: Record<string, string> = {
    '10001': String(merchant.id),
    pay_01KJPWD6M0J09BZPCH3ETT3T8D: await created('/payments', paymentRequest()),
    pay_01KJPWD6M0J09BZPCH3ETT3T8E: await created('/payments', paymentRequest()),
    out_01KJPWD6M0J09BZPCH3ETT3T8F: await created('/payouts', payoutRequest({ amount: 60_000 })),
    pay_01KJPWD6M0J09BZPCH3ETT3T8J: await created('/payments', paymentRequest(DECLINED)),
    pay_01KJPWD6M0J09BZPCH3ETT3T8K: await created('/payments', paymentRequest(DECLINED)),
    out_01KJPWD6M0J09BZPCH3ETT3T8M: await created('/payouts', payoutRequest(DECLINED)),
  };
  for (const name of [
    'pay_01KJPWD6M0J09BZPCH3ETT3T8J',
    'pay_01KJPWD6M0J09BZPCH3ETT3T8K',
    'out_01KJPWD6M0J09BZPCH3ETT3T8M',
  ])
    expect((await call('POST', '/channels/bank/notifications', here[name])).status).toBe(204);
  const follow = async (key: string, part: string) => {
    const printed: string[] = [];
    for (const argv of parseCommands(document.take(part), here)) {
      const { code, stdout, stderr } = await as(key)(...argv);
      expect([code, stderr], argv.join(' ')).toEqual([0, '']);
      printed.push(stdout);
    }
    return printed;
  };
  expect(await follow(keys.dana, 'payment show')).toEqual([expect.stringContaining('PAY_CONFIRMATION_NEEDED')]);
  expect(await follow(keys.dana, 'payment find')).toEqual([
    expect.stringContaining(here['pay_01KJPWD6M0J09BZPCH3ETT3T8D'] ?? ''),
    expect.stringContaining('none found'),
  ]);
  const [erased] = await follow(keys.lee, 'customer erase');
  expect(erased).toMatch(/of 0 transactions; repeat it later for \d+ that still need the data\n$/);
  const [, , limited] = await follow(keys.dana, 'method set');
  expect(limited).toContain('payment  UPI_IN  100 to 5000000, per day 10000000, per month 100000000\n');
  expect(limited).toContain('payout   IMPS_IN  disabled\n');
  expect(await follow(keys.dana, 'channel pause')).toEqual([
    expect.stringMatching(/^bank {2}UPI_IN, /),
    expect.stringContaining('paused by Dana'),
    expect.not.stringContaining('paused'),
  ]);
  const ids: string[] = [];
  for (const part of [
    'payment resolve pay_01KJPWD6M0J09BZPCH3ETT3T8D',
    'correction debit',
    'payout resolve-exceptions',
  ])
    ids.push(...(await follow(keys.dana, part)).map((text) => /prp_\w+/.exec(text)?.[0] ?? ''));
  here['prp_01KJPWD6M0J09BZPCH3ETT3T8G'] = ids[0] ?? '';
  here['prp_01KJPWD6M0J09BZPCH3ETT3T8H'] = ids[1] ?? '';
  const [listed = ''] = await follow(keys.lee, 'proposal list');
  for (const id of ids) expect(listed).toContain(id);
  for (const id of ids.slice(2)) expect((await as(keys.lee)('proposal', 'approve', id)).code).toBe(0);
  await gateway.idle();

  const status = async (path: string) => (await call('GET', path)).body.status;
  expect(await status(`/payments/${here['pay_01KJPWD6M0J09BZPCH3ETT3T8D']}`)).toBe('SUCCESS');
  expect(await status(`/payments/${here['pay_01KJPWD6M0J09BZPCH3ETT3T8E']}`)).toBe('PAY_CONFIRMATION_NEEDED');
  expect(await status(`/payouts/${here['out_01KJPWD6M0J09BZPCH3ETT3T8F']}`)).toBe('FAILED');
  const { balances } = (await call('GET', '/merchant/balance')).body;
  expect(balances).toMatchObject([{ currency: 'INR', available: 1_000_000 - 250_000 + 1_200 + 10_000 - 10_000 }]);
  expect((await auditStore(gateway.store)).differences).toEqual([]);
  expect(document.leftOut()).toEqual([]);
});
