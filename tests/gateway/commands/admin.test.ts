/** The administration commands, the help, and mistakes on the command line. */
import { expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { sqliteDatabase } from '../harness.ts';
import { administer, createRunner, toEnvironment } from './run-command.ts';

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
  [['constructor'], 2, "Unknown command 'constructor'"],
  [['key', 'creat'], 2, "Unknown command 'creat'\n(Did you mean create?)\nTry: payments-gateway key --help"],
  [['fund', '99999', '100', 'INR'], 1, 'Merchant not found: 99999.'],
  [['key', 'create', 'abc'], 2, "<merchant-id> 'abc' must be an integer"],
  [['key', 'create', '99999'], 1, 'No merchant has the number 99999.'],
  [['merchant', 'create', 'Shop', 'USD'], 2, "<currencies> 'USD' must be one of INR, EGP, MAD, DZD"],
  [['merchant', 'create', 'Shop'], 2, "Missing required argument 'currencies'"],
  [['audit', 'now'], 2, 'Too many arguments'],
  [['audit', '--verbosely'], 2, 'Try: payments-gateway audit --help'],
  [['audit', '--port', '4000'], 2, "Unknown option '--port'"],
  [['secret', 'reencrypt'], 2, 'openssl rand -base64 32'],
  [['start', '--port', '70000'], 2, "--port is '70000'. It must be 0 to 65535."],
  [['start', '--prot', '4000'], 2, 'Did you mean --port?'],
])('an invalid command line %j exits with %i and a correction, without a stack', async (args, code, message) => {
  const made = await sqliteDatabase();
  await migrate(made.connect());
  const ran = await createRunner(toEnvironment(made))(...args);
  expect(ran).toMatchObject({ code, stdout: '' });
  expect(ran.stderr).toContain(message);
  expect(ran.stderr).not.toMatch(/^\s+at /m);
});

it('prints the version of the package', async () => {
  expect(await createRunner({})('--version')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
});
