/** Backups, and databases restored from them: equal books, and paused payouts. */
import { readdirSync, statSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { payoutPause } from '../../../gateway/src/channels/pauses.ts';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { openSqlite } from '../../../gateway/src/database/sqlite/sqlite-store.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { afterwards, postgresDatabase, sqliteDatabase, startTestGateway, temporaryFolder } from '../harness.ts';
import { administer, createRunner } from './run-command.ts';

describe('the backup of an SQLite database', () => {
  it('is taken from a running gateway, restores its transactions and books, and pauses payouts', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'payments.db');
    const gateway = await startTestGateway({ store: openSqlite(file) });
    const { body } = requestExamples.createPayment['h2h-upi'];
    const before = await gateway.call('POST', '/payments', body);
    await createRunner({ DATABASE_FILE: file })('fund', String(gateway.merchant.id), '250000', 'INR');

    const backup = join(folder, 'backup.db');
    const ran = await createRunner({ DATABASE_FILE: file })('backup', backup);
    expect(ran).toEqual({ code: 0, stdout: `wrote ${backup} (${statSync(backup).size} bytes)\n`, stderr: '' });
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
    const after = await gateway.call('POST', '/payments', { ...body, merchant_order_id: 'after-the-backup' });
    expect(after.status).toBe(200);

    const restored = join(folder, 'restored', 'payments.db');
    await mkdir(join(folder, 'restored'));
    await copyFile(backup, restored);
    expect(await createRunner({ DATABASE_FILE: restored })('audit')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ 1 entries, 0 differences\n$/),
    });
    const second = await startTestGateway({ store: openSqlite(restored) });
    const read = (id: string) =>
      second.call('GET', `/payments/${id}`, undefined, { authorization: `Bearer ${gateway.key}` });
    expect((await read(before.body.transaction_id)).body).toMatchObject({ transaction_id: before.body.transaction_id });
    expect((await read(after.body.transaction_id)).status).toBe(404);
    const pauses = await Promise.all([second, gateway].map(({ gateway: { store } }) => payoutPause(store.read)));
    const reason = expect.stringMatching(/^Restored from the backup of \S+Z\.$/);
    expect(pauses).toEqual([expect.objectContaining({ by: undefined, reason }), undefined]);
  });

  it('accepts a schema of another version, so that an upgrade can begin with it', async () => {
    const file = join(await temporaryFolder(), 'payments.db');
    const store = openSqlite(file);
    afterwards(() => store.close());
    await migrate(store);
    await store.unit(async (db) => {
      await db.run('update schema_version set version = 999 where id = 1');
      await db.run('drop table payout_pause');
    });
    expect((await createRunner({ DATABASE_FILE: file })('backup', `${file}.backup`)).code).toBe(0);
  });

  it("doesn't overwrite a file", async () => {
    const { address } = await sqliteDatabase();
    const command = createRunner({ DATABASE_FILE: address });
    await command('migrate');
    await writeFile(`${address}.backup`, 'precious');
    const ran = await command('backup', `${address}.backup`);
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('already exists.') });
    expect(await readFile(`${address}.backup`, 'utf8')).toBe('precious');
  });

  it('is refused for PostgreSQL, with the tool to use and without the password', async () => {
    const ran = await createRunner({ DATABASE_URL: 'postgres://me:s3cr3t@db/payments' })('backup', 'x.dump');
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(`pg_dump --format=custom --file='x.dump' "$DATABASE_URL"`);
    expect(ran.stderr).not.toContain('s3cr3t');
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
