/** Databases restored from a backup, in which payouts are paused. */
import { describe, expect, it } from 'vitest';
import { payoutPause } from '../../../gateway/src/channels/pauses.ts';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { postgresDatabase, sqliteDatabase, startTestGateway } from '../harness.ts';
import { administer } from './run-command.ts';

describe('payments-gateway restored', () => {
  it('pauses payouts until they are resumed, and prints the next command', async () => {
    const { store, admin } = await administer(sqliteDatabase);
    const ran = await admin('restored', '--reason', 'The disk of the primary was lost');
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/payout resume --reason 'REASON'\n$/) });
    expect(await payoutPause(store.read)).toMatchObject({ by: { name: expect.stringContaining('@') } });
    expect((await admin('restored')).code).toBe(0);
    expect((await admin('restored', '--complete')).code).toBe(0);
    expect(await payoutPause(store.read)).toBeUndefined();
  });
});

describe('a gateway on PostgreSQL', () => {
  async function start(store: Store) {
    const { log, lines } = recordingLog();
    await startTestGateway({ store, log });
    return { pause: () => payoutPause(store.read), messages: () => lines.map(({ message }) => message) };
  }

  /** Gives the tables another identity, as after restoring a dump. */
  async function recreateTable(store: Store): Promise<void> {
    await store.unit(async (db) => {
      await db.run('alter table schema_version rename to dumped');
      await db.run('create table schema_version (like dumped including all)');
      await db.run('insert into schema_version select * from dumped');
      await db.run('drop table dumped');
    });
  }

  it('pauses payouts when it first starts on a restored dump, but not at its next start', async () => {
    const database = await postgresDatabase();
    await migrate(database.connect());
    const first = await start(database.connect());
    expect(await first.pause()).toBeUndefined();
    await recreateTable(database.connect());
    const restored = await start(database.connect());
    expect(await restored.pause()).toMatchObject({ by: undefined, reason: expect.stringContaining('was restored') });
    expect(restored.messages()).toContain('payouts are paused: the database was restored');
    await database.connect().unit((db) => db.run('delete from payout_pause'));
    expect(await (await start(database.connect())).pause()).toBeUndefined();
  });

  it('does not pause payouts after `restored --complete`', async () => {
    const { store, admin } = await administer(postgresDatabase);
    await start(store);
    await recreateTable(store);
    await admin('restored', '--complete');
    expect(await (await start(store)).pause()).toBeUndefined();
  });
});
