/** Backups, and databases restored from them: equal books, and paused payouts. */
import { readdirSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { payoutPause } from '../../../gateway/src/channels/pauses.ts';
import { openSqlite } from '../../../gateway/src/database/sqlite/sqlite-store.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { postgresDatabase, sqliteDatabase, startTestGateway, temporaryFolder } from '../harness.ts';
import { administer, createRunner } from './run-command.ts';

describe('the backup of an SQLite database', () => {
  it('is a private file, taken from a running gateway, with its books, and pauses payouts', async () => {
    const folder = await temporaryFolder();
    const [file, backup] = [join(folder, 'payments.db'), join(folder, 'backup.db')];
    const gateway = await startTestGateway({ store: openSqlite(file) });
    const command = createRunner({ DATABASE_FILE: file });
    await command('fund', String(gateway.merchant.id), '250000', 'INR');
    const ran = await command('backup', backup);
    expect(ran).toEqual({ code: 0, stdout: `wrote ${backup} (${statSync(backup).size} bytes)\n`, stderr: '' });
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
    await command('fund', String(gateway.merchant.id), '1', 'INR');
    const audited = await createRunner({ DATABASE_FILE: backup })('audit');
    expect(audited).toMatchObject({ code: 0, stdout: expect.stringMatching(/ 1 entries, 0 differences\n$/) });
    const restored = await startTestGateway({ store: openSqlite(backup) });
    const pauses = await Promise.all([restored, gateway].map((one) => payoutPause(one.gateway.store.read)));
    const reason = expect.stringMatching(/^Restored from the backup of \S+Z\.$/);
    expect(pauses).toEqual([expect.objectContaining({ by: undefined, reason }), undefined]);
  });

  it('accepts a schema of another version, so that an upgrade can begin with it', async () => {
    const { admin, store, env } = await administer(sqliteDatabase);
    await store.unit(async (db) => {
      await db.run('update schema_version set version = 999 where id = 1');
      await db.run('drop table payout_pause');
    });
    expect((await admin('backup', `${env['DATABASE_FILE']}.backup`)).code).toBe(0);
  });

  it("doesn't overwrite a file", async () => {
    const { admin, env } = await administer(sqliteDatabase);
    const file = `${env['DATABASE_FILE']}.backup`;
    await writeFile(file, 'precious');
    const ran = await admin('backup', file);
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('already exists.') });
    expect(await readFile(file, 'utf8')).toBe('precious');
  });

  it('is refused for PostgreSQL, with the tool to use and without the password', async () => {
    const ran = await createRunner({ DATABASE_URL: 'postgres://me:s3cr3t@db/payments' })('backup', 'x.dump');
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(`pg_dump --format=custom --file='x.dump' "$DATABASE_URL"`);
    expect(ran.stderr).not.toContain('s3cr3t');
  });
});

describe('a gateway on PostgreSQL', () => {
  /** Starts a gateway, and reads whether payouts are paused. */
  async function startAndRead(store: Store) {
    const { log, lines } = recordingLog();
    await startTestGateway({ store, log });
    return { pause: await payoutPause(store.read), messages: lines.map(({ message }) => message) };
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
    const { store } = await administer(postgresDatabase);
    expect((await startAndRead(store)).pause).toBeUndefined();
    await recreateTable(store);
    const { pause, messages } = await startAndRead(store);
    expect(pause).toMatchObject({ by: undefined, reason: expect.stringContaining('was restored') });
    expect(messages).toContain('payouts are paused: the database was restored');
    await store.unit((db) => db.run('delete from payout_pause'));
    expect((await startAndRead(store)).pause).toBeUndefined();
  });

  it('does not pause payouts after `restored --complete`', async () => {
    const { store, admin } = await administer(postgresDatabase);
    await startAndRead(store);
    await recreateTable(store);
    await admin('restored', '--complete');
    expect((await startAndRead(store)).pause).toBeUndefined();
  });
});
