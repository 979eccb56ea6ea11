/** Whether a database is live: written once, and shared by every process and command. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { createApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { createMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { KeyRing } from '../../../gateway/src/platform/key-ring.ts';
import { createGateway } from '../../../gateway/src/server.ts';
import { START } from '../harness/fixtures.ts';
import LIVE_CARRIERS from '../harness/live.config.ts';
import { afterwards, describeOnEachStore, sqliteDatabase } from '../harness.ts';
import { startProcess } from '../processes/gateways.ts';
import { administer, createRunner, toEnvironment } from './run-command.ts';

const KEY = randomBytes(32);
const CONFIG = new URL('../harness/live.config.ts', import.meta.url).pathname;
const LIVE = { LIVE: 'true', SECRETS_KEY: KEY.toString('base64'), CONFIG };

describeOnEachStore('the mode of a database', (_open, database) => {
  /** The commands on a database with its tables, with further variables. */
  async function administerWith() {
    const { store, env } = await administer(database);
    return { store, on: (more = {}) => createRunner({ ...env, SANDBOX: 'false', ...more }) };
  }

  /** Starts a gateway on its own connection. */
  async function start(store: Store, live: boolean) {
    const gateway = await createGateway({
      store,
      publicUrl: () => '',
      keyPolicy: { live },
      secretKeys: new KeyRing([KEY]),
      ...(live && LIVE_CARRIERS),
    });
    afterwards(() => gateway.close());
    return gateway;
  }

  it('is live after the creation of a live merchant, and refuses other commands without LIVE', async () => {
    const { on } = await administerWith();
    expect((await on(LIVE)('merchant', 'create', 'Chai House', 'INR')).stdout).toContain('sk_live_');
    for (const command of ['sandbox', 'merchant create Shop INR', 'key create 10001']) {
      const refused = await on({ SANDBOX: String(command === 'sandbox') })(...command.split(' '));
      expect(refused, command).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toMatch(/(SQLite in|PostgreSQL at) \S+ is live: .*Set LIVE=true/s);
    }
    expect((await on(LIVE)('key', 'create', '10001')).stdout).toContain('sk_live_');
  });

  it('admits one of two concurrent starts with different modes', async () => {
    const made = await database();
    await migrate(made.connect());
    const started = await Promise.allSettled([start(made.connect(), true), start(made.connect(), false)]);
    expect(started.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('excludes keys of the other mode by a constraint', async () => {
    const { store } = await administer(database);
    const { id } = await store.unit(async (db) => {
      const merchant = await createMerchant(db, 'Shop', START);
      await createApiKey(db, merchant.id, START, { live: true });
      return merchant;
    });
    const insert = (live: number) =>
      store.unit((db) =>
        db.run(
          `insert into api_keys (id, merchant_id, hash, hint, created_at, live) values (?, ?, ?, '', 0, ?)`,
          ...[`key_${live}`, id, `hash ${live}`, live],
        ),
      );
    await expect(insert(0)).rejects.toThrow(/foreign key/i);
    await expect(store.unit((db) => db.run('update database_mode set live = 0'))).rejects.toThrow(/foreign key/i);
    await expect(store.unit((db) => db.run('insert into database_mode (id, live) values (2, 0)'))).rejects.toThrow(
      /check/i,
    );
    expect(await insert(1)).toBe(1);
  });

  it('is set permanently by migrate on request', async () => {
    const { on } = await administerWith();
    expect((await on()('migrate', '--mode', 'live')).stdout).toContain('the database is live');
    const other = await on()('migrate', '--mode', 'test');
    expect(other).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('is live') });
  });
});

it('a live gateway serves the types of its problems at PUBLIC_URL, and creates no transaction for trigger', async () => {
  const database = toEnvironment(await sqliteDatabase());
  const env = { ...database, ...LIVE, DRAIN_MS: '0', PUBLIC_URL: 'https://pay.example.com/v1/' };
  const commands = createRunner(env);
  await commands('migrate', '--mode', 'live');
  const gateway = await startProcess(env);
  const { stdout } = await commands('merchant', 'create', 'Shop', 'INR', '--live');
  const key = /sk_live_\S+/.exec(stdout)?.[0] ?? '';
  const triggered = await createRunner({ GATEWAY_URL: gateway.url, API_KEY: key })('trigger', 'paymentSucceeded');
  expect(triggered).toMatchObject({ code: 1, stderr: expect.stringContaining('has no sandbox') });
  expect((await commands('export', 'transactions')).stderr).toContain('\n0 transactions\n');
  const { body } = await gateway.call('GET', '/merchant/balance', 'none');
  expect(body.type).toBe('https://pay.example.com/v1/problems/unauthorized');
  const { status, headers } = await fetch(`${gateway.url}/problems/unauthorized`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, '/docs/errors#unauthorized']);
});
