/**
 * Upgrades from released versions: payments and payouts in all kinds of states, with their ledger and their webhooks. Each
 * release adds one.
 */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { ManualClock } from '../../tools/manual-clock.ts';
import { commandsWith, environmentOf } from '../commands/run-command.ts';
import { clarification, confirmation, settled } from '../harness/customer.ts';
import { START } from '../harness/fixtures.ts';
import { describeOnEachStore, startTestGateway, type TestDatabase } from '../harness.ts';
import { leaveAsReleased, RELEASED } from './released.ts';

describeOnEachStore('a database of an earlier version', (_open, database) => {
  /** A database as the version left it. */
  async function left(version: number): Promise<TestDatabase> {
    const made = await database();
    await leaveAsReleased(made.connect(), { version });
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

  it.each(RELEASED)('of schema $version is for tests from its first start without LIVE', async ({ version }) => {
    const made = await left(version);
    const live = commandsWith({
      ...environmentOf(made),
      LIVE: 'true',
      SECRETS_KEY: randomBytes(32).toString('base64'),
    });
    await live('migrate');
    expect((await live('merchant', 'create', 'Live', 'INR')).stderr).toContain("doesn't say whether it is live");
    await startTestGateway({ store: made.connect(), sandbox: true });
    expect((await live('merchant', 'create', 'Live', 'INR')).stderr).toContain('is for tests');
  });

  it.each(RELEASED)(
    'of schema $version is live if migrate says so, and then without a sandbox',
    async ({ version }) => {
      const made = await left(version);
      const command = commandsWith(environmentOf(made));
      expect((await command('migrate', '--mode', 'live')).stdout).toContain('the database is live');
      await expect(startTestGateway({ store: made.connect(), sandbox: true })).rejects.toThrow('the database is live');
      expect(await command('audit')).toMatchObject({ code: 0, stdout: expect.stringContaining(' 0 differences') });
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
