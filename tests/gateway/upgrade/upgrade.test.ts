/**
 * Upgrades from released versions. schema-N.json has the rows that a released gateway wrote: payments and payouts in
 * all kinds of states, with their ledger and their webhooks. It never changes, and each release adds one.
 */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ManualClock } from '../../../gateway/src/platform/clock.ts';
import { migrate } from '../../../gateway/src/store/migrate.ts';
import type { Row, Store } from '../../../gateway/src/store/store.ts';
import { commandsWith, environmentOf } from '../commands/run-command.ts';
import { clarification, confirmation, settled } from '../harness/customer.ts';
import { START } from '../harness/fixtures.ts';
import { describeOnEachStore, startTestGateway, type TestDatabase } from '../harness.ts';

const RELEASED = [{ version: 5, key: 'sk_test_of_the_released_version_0123456789' }];

describeOnEachStore('a database of an earlier version', (_open, database) => {
  /** A database as the version left it. */
  async function left(version: number): Promise<TestDatabase> {
    const made = await database();
    const store = made.connect();
    await migrate(store, { upTo: version });
    await insertRows(store, JSON.parse(await readFile(new URL(`schema-${version}.json`, import.meta.url), 'utf8')));
    return made;
  }

  it.each(RELEASED)(
    'of schema $version is migrated by one command, and its books are in order',
    async ({ version }) => {
      const command = commandsWith(environmentOf(await left(version)));
      expect((await command('audit')).stderr).toContain(`the schema is at version ${version},`);
      expect((await command('migrate')).code).toBe(0);
      expect(await command('audit')).toMatchObject({ code: 0, stdout: expect.stringContaining(' 0 differences') });
      expect((await command('merchant', 'list')).stdout).toContain(
        'INR  available 480000, pending 49900, reserved 10000',
      );
    },
  );

  it.each(RELEASED)('of schema $version continues where it was', async ({ version, key }) => {
    const made = await left(version);
    const { gateway, call } = await startTestGateway({ store: made.connect(), clock: new ManualClock(START + 60_000) });
    const asReleased: typeof call = (method, path, body) =>
      call(method, path, body, { authorization: `Bearer ${key}` });
    const find = async (orderId: string) => (await asReleased('GET', `/payments?merchant_order_id=${orderId}`)).body;
    const end = (id: string) => settled({ gateway }, asReleased, id);

    const { transaction_id: paid } = await find('succeeded');
    expect(await end(paid)).toMatchObject({ status: 'SUCCESS', amount_paid: 49_900 });
    expect(await end((await find('verifying')).transaction_id)).toMatchObject({ status: 'SUCCESS' });

    const unconfirmed = await find('to-confirm');
    await asReleased('POST', `/payments/${unconfirmed.transaction_id}/confirm`, confirmation(unconfirmed));
    expect(await end(unconfirmed.transaction_id)).toMatchObject({ status: 'SUCCESS' });

    const unclear = await find('to-clarify');
    const clarified = await asReleased('POST', `/payments/${unclear.transaction_id}/clarify`, clarification(unclear));
    expect(clarified.status).toBe(200);

    expect(await commandsWith(environmentOf(made))('audit')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(' 0 differences'),
    });
  });
});

async function insertRows(store: Store, tables: Readonly<Record<string, readonly Row[]>>): Promise<void> {
  await store.unit(async (db) => {
    for (const [table, rows] of Object.entries(tables)) {
      for (const row of rows) {
        const columns = Object.keys(row);
        const places = columns.map(() => '?').join(', ');
        await db.run(`insert into ${table} (${columns.join(', ')}) values (${places})`, ...Object.values(row));
      }
    }
  });
}
