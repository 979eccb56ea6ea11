/** The commands for signing secrets, with and without encryption keys. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sqliteDatabase } from '../harness.ts';
import { administer, createRunner } from './run-command.ts';

const [FIRST, SECOND] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

describe('payments-gateway', () => {
  const database = sqliteDatabase;
  /** Commands on a new database, each with additional variables. */
  async function addShop() {
    const { store, env: own } = await administer(database);
    const on = (env: Record<string, string> = {}) => createRunner({ ...own, ...env });
    const created = await on()('merchant', 'create', 'Shop', 'INR');
    const [merchantId = ''] = created.stdout.match(/\d{5}/) ?? [];
    return { store, on, merchantId };
  }

  it('refuses a secret that the gateways could not read', async () => {
    const { on, merchantId, store } = await addShop();
    await on({ SECRETS_KEY: FIRST })('secret', 'reencrypt');
    const commands: string[][] = [
      ['merchant', 'create', 'Other', 'INR'],
      ['secret', 'rotate', merchantId],
    ];
    for (const command of commands) {
      for (const env of [{}, { SECRETS_KEY: SECOND }]) {
        const { code, stderr } = await on(env)(...command);
        expect(code).toBe(1);
        expect(stderr).toContain('Set SECRETS_KEY to the key of the gateways');
      }
    }
    expect(await store.read.all('select count(*) as count from signing_secrets')).toEqual([{ count: 1 }]);
  });

  it('refuses to re-encrypt without a key, and prints the command that creates one', async () => {
    const { on } = await addShop();
    const { code, stderr } = await on()('secret', 'reencrypt');
    expect(code).toBe(2);
    expect(stderr).toContain('openssl rand -base64 32');
  });
});
