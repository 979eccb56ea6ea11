/** The administration commands, mistakes on the command line, and the demo merchant. */
import { expect, it } from 'vitest';
import { demoMerchant } from '../../../gateway/src/commands/demo.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { postEntry, readWallets } from '../../../gateway/src/ledger/wallets.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { openTestSqlite, sqliteDatabase } from '../harness.ts';
import { administer } from './run-command.ts';

it('payments-gateway creates a merchant, funds it, and audits the books', async () => {
  const { admin, store } = await administer(sqliteDatabase);
  const created = await admin('merchant', 'create', 'Chai House', 'INR,EGP');
  const [merchantId = ''] = created.stdout.match(/\d{5}/) ?? [];
  expect(created.stdout).toMatch(/API key +sk_test_\S{32}/);
  expect(created.stdout).toMatch(/signing secret +whsec_\S{44}/);
  expect((await admin('fund', merchantId, '250000', 'INR')).code).toBe(0);
  expect((await admin('merchant', 'list')).stdout).toContain('INR  available 250000, pending 0, reserved 0');
  expect(await admin('audit')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^the audit log ends with \d+:[0-9a-f]{64}\n0 transactions, 2 wallets, 1 entries, 0 differences\n$/,
    ),
  });
  const [, end = ''] = /ends with (\S+)/.exec((await admin('audit')).stdout) ?? [];
  expect((await admin('audit', '--log-end', end)).code).toBe(0);
  expect(await admin('audit', '--log-end', `9${end}`)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('audit log: changes'),
  });
  expect(await admin('audit', '--log-end', '12')).toMatchObject({ code: 2 });
  await store.unit((db) => db.run("update wallets set available = 249999 where currency = 'INR'"));
  const audit = await admin('audit');
  expect(audit.code).toBe(1);
  expect(audit.stdout).toContain('INR: available is 249999, its entries add up to 250000');
});

it.each([
  [['funds'], 2, "Unknown command 'funds'\n(Did you mean fund?)\nTry: payments-gateway --help"],
  [['fund', '99999', '100', 'INR'], 1, 'Merchant not found: 99999.'],
  [['secret', 'reencrypt'], 2, 'openssl rand -base64 32'],
])('an invalid command line %j exits with %i and a correction, without a stack', async (args, code, message) => {
  const { admin } = await administer(sqliteDatabase);
  const ran = await admin(...args);
  expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  expect(ran.stderr).not.toMatch(/^\s+at /m);
});

it('the demo merchant has money for payouts in each currency, and is funded once', async () => {
  const store = await openTestSqlite();
  const access = await demoMerchant(store);
  const funded = await readWallets(store.read, access.merchantId, 0);
  const payouts = sandboxMethods.flatMap(({ kind, limits }) => (kind === 'payout' ? limits.max : []));
  expect(funded.map(({ currency }) => currency)).toEqual(['DZD', 'EGP', 'INR', 'MAD']);
  for (const { available } of funded) expect(available).toBeGreaterThan(Math.max(...payouts));
  const [inr = { currency: 'INR', available: 0 }] = funded.filter(({ currency }) => currency === 'INR');
  const posting = { id: randomIds.newId('led', 0), merchantId: access.merchantId, currency: 'INR' };
  const paidOut = { from: 'available', to: 'bank', amount: inr.available, reason: 'paid_out' } as const;
  await store.unit((db) => postEntry(db, paidOut, { ...posting, transactionId: null, now: 0 }));
  expect(await demoMerchant(store)).toEqual(access);
  const after = await readWallets(store.read, access.merchantId, 0);
  expect(after.map(({ available }) => available)).toEqual(funded.map((one) => (one === inr ? 0 : one.available)));
});
