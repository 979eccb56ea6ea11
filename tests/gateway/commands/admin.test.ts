/** The administration, as its user runs it: one process for each command. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { temporaryFolder } from '../harness.ts';

let file = '';

beforeAll(async () => {
  file = join(await temporaryFolder(), 'admin.db');
});

async function admin(...args: string[]) {
  const { code, stdout, stderr } = await run(process.execPath, [join(ROOT, 'gateway/src/main.ts'), ...args], {
    allowFailure: true,
    env: { DATABASE_FILE: file, DATABASE_URL: '' },
  });
  return { code, stdout, stderr };
}

describe('payments-gateway', () => {
  it('creates a merchant, funds it, changes its keys and its secret, and audits the books', async () => {
    const created = await admin('merchant', 'create', 'Chai House', 'INR,EGP');
    const [merchantId = ''] = created.stdout.match(/\d{5}/) ?? [];
    expect(created.stdout).toMatch(/API key +sk_test_\S{32}/);
    expect(created.stdout).toMatch(/signing secret +whsec_\S{44}/);

    expect((await admin('fund', merchantId, '250000', 'INR')).code).toBe(0);
    expect((await admin('merchant', 'list')).stdout).toContain('INR  available 250000, pending 0, reserved 0');

    const [keyId = ''] = (await admin('key', 'create', merchantId)).stdout.match(/key_\w+/) ?? [];
    expect((await admin('key', 'revoke', merchantId, keyId)).stdout).toContain(`revoked ${keyId}`);
    const keys = (await admin('key', 'list', merchantId)).stdout.split('\n');
    expect(keys.find((line) => line.startsWith(keyId))).toMatch(/revoked$/);
    expect(keys.join()).not.toContain('sk_test_');
    expect((await admin('key', 'revoke', merchantId, keyId)).stderr).toContain(
      `payments-gateway key list ${merchantId}`,
    );
    expect((await admin('secret', 'rotate', merchantId)).stdout).toMatch(/whsec_/);

    expect(await admin('audit')).toMatchObject({ code: 0, stdout: '2 wallets, 1 entries, 0 differences\n' });
    const db = new DatabaseSync(file);
    db.exec("update wallets set available = 249999 where currency = 'INR'");
    db.close();
    const audit = await admin('audit');
    expect(audit.code).toBe(1);
    expect(audit.stdout).toContain('INR: available is 249999, its entries add up to 250000');
  });

  it.each([
    [['refund'], 2, "there is no command 'refund'"],
    [['fund', '99999', '100', 'INR'], 1, 'there is no merchant 99999'],
    [['key', 'create', 'abc'], 1, 'there is no merchant abc'],
    [['merchant', 'create', 'Shop', 'USD'], 2, 'it must be one of INR, EGP, MAD, DZD'],
    [['merchant', 'create', 'Shop'], 2, 'CURRENCIES is missing'],
    [['audit', 'now'], 2, "'now' is one argument too many"],
    [['audit', '--verbosely'], 2, 'Try: payments-gateway audit --help'],
    [['start', '--port', '70000'], 2, "--port is '70000'; it must be 0 to 65535"],
    [['audit', '--database-url', 'postgres://127.0.0.1:1/none'], 1, 'PostgreSQL at 127.0.0.1:1/none cannot be reached'],
  ])('answers %j with exit code %i and one clear line', async (args, code, message) => {
    const ran = await admin(...args);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).not.toMatch(/^\s+at /m);
  });

  it('lists the addresses that answered 410, and lets one be used again', async () => {
    const [merchantId = ''] = (await admin('merchant', 'create', 'Gone', 'INR')).stdout.match(/\d{5}/) ?? [];
    expect((await admin('webhook', 'stopped')).stdout).toBe('no address has been stopped\n');
    const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
    db.exec(
      `insert into stopped_urls (merchant_id, url, event_id, stopped_at) values (${merchantId}, 'https://gone.test/', 'evt_1', 0)`,
    );
    db.close();
    expect((await admin('webhook', 'stopped')).stdout).toContain('evt_1  https://gone.test/');
    expect((await admin('webhook', 'resume', merchantId, 'https://gone.test/')).code).toBe(0);
    expect((await admin('webhook', 'resume', merchantId, 'https://gone.test/')).code).toBe(1);
  });

  it('refuses an amount that is not a whole number of minor units', async () => {
    const [merchantId = ''] = (await admin('merchant', 'create', 'Shop', 'INR')).stdout.match(/\d{5}/) ?? [];
    for (const amount of ['1.5', '0', '-3', '99999999999999999999']) {
      expect((await admin('fund', merchantId, amount, 'INR')).code).toBe(2);
    }
  });

  it('explains itself', async () => {
    const overview = await admin('--help');
    expect(overview.code).toBe(0);
    for (const command of ['start', 'merchant create', 'key revoke', 'secret rotate', 'fund', 'audit'])
      expect(overview.stdout).toContain(command);
    expect((await admin('fund', '--help')).stdout).toContain(
      'Usage: payments-gateway fund MERCHANT_ID AMOUNT CURRENCY [options]',
    );
  });
});
