/** The database of a command, and its errors. */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { describeOnEachStore, postgresDatabase, startTestGateway, temporaryFolder } from '../harness.ts';
import { createRunner, toEnvironment } from './run-command.ts';

/** Commands that work while a gateway runs. */
const BESIDE = [
  ['audit'],
  ['failing'],
  ['merchant', 'create', 'Shop', 'INR'],
  ['key', 'create', '10001'],
  ['secret', 'rotate', '10001'],
  ['webhook', 'stopped'],
  ['fund', '10001', '100', 'INR'],
];

it.each([...BESIDE, ['backup', 'copy.db']].map((args) => ({ args })))(
  'a command without a database $args refuses without creating one',
  async ({ args }) => {
    const folder = await temporaryFolder();
    const file = join(folder, 'data', 'payments.db');
    const ran = await createRunner({ DATABASE_FILE: file })(...args);
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`Database not found: ${file}.`) });
    expect(ran.stderr).toContain('payments-gateway migrate');
    expect(readdirSync(folder)).toEqual([]);
  },
);

describeOnEachStore('the schema', (_open, database) => {
  async function versionOf(store: Store): Promise<number> {
    return Number((await store.read.get('select version from schema_version where id = 1'))?.['version']);
  }

  it.each([
    [
      'another version',
      'version = 999',
      BESIDE,
      /the schema is at version 999, and this payments-gateway needs version \d+\.\nUpdate payments-gateway\./,
    ],
    [
      'an unreleased revision',
      "baseline = 'other'",
      [...BESIDE, ['migrate'], ['start']],
      /(SQLite in|PostgreSQL at) \S+: an unreleased revision of payments-gateway created it, and its schema has no upgrade\. .*set DATABASE_FILE or DATABASE_URL/s,
    ],
  ])('is refused in %s, and left unchanged', async (_what, change, commands, message) => {
    const made = await database();
    const store = made.connect();
    await migrate(store);
    await store.unit((db) => db.run(`update schema_version set ${change}`));
    const before = await store.read.all('select * from schema_version');
    for (const args of commands) {
      const ran = await createRunner(toEnvironment(made))(...args);
      expect(ran, args.join(' ')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
    }
    expect(await store.read.all('select * from schema_version')).toEqual(before);
  });

  it('is created by migrate, which is idempotent', async () => {
    const made = await database();
    const command = createRunner(toEnvironment(made));
    made.connect();
    const refused = await command('audit');
    expect(refused.stderr).toContain('the database has no tables of the gateway.');
    expect((await command('migrate')).stdout).toMatch(
      /^applied 001-baseline\n(applied .*\n)*\S+ (in|at) \S+ is up to date\n$/,
    );
    expect((await command('migrate')).stdout).toMatch(/^\S+ (in|at) \S+ is up to date\n$/);
    expect((await command('audit')).code).toBe(0);
  });

  it('is used in a newer version by the gateways it names, and others turn unready', async () => {
    const store = (await database()).connect();
    const { log, lines } = recordingLog();
    const { call } = await startTestGateway({ store, log });
    const known = await versionOf(store);
    const upgrade = (usableBy: number) =>
      store.unit((db) => db.run('update schema_version set version = ?, usable_by = ?', known + 2, usableBy));
    await upgrade(known);
    expect((await call('GET', '/health/ready')).status).toBe(200);
    await startTestGateway({ store });
    await upgrade(known + 1);
    expect(await call('GET', '/health/ready')).toMatchObject({ status: 503, body: { reason: 'schema' } });
    expect(lines.at(-2)).toMatchObject({ level: 'error', message: 'not ready', reason: 'schema' });
    await expect(startTestGateway({ store })).rejects.toThrow(`this gateway needs version ${known}`);
  });
});

it('an SQLite file of another program is refused, and left unchanged', async () => {
  const file = join(await temporaryFolder(), 'other.db');
  const other = new DatabaseSync(file);
  other.exec('create table notes (text text)');
  other.close();
  const before = await readFile(file);
  const ran = await createRunner({ DATABASE_FILE: file })('audit');
  expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('has no tables of the gateway') });
  expect(await readFile(file)).toEqual(before);
  expect(readdirSync(dirname(file))).toEqual(['other.db']);
});

describe('a PostgreSQL that refuses', () => {
  it.each([
    ['a role that does not exist', 'nobody:s3cr3t', '/postgres', /role "?nobody"?/],
    ['a wrong password', 'postgres:s3cr3t', '/postgres', /password of role postgres is wrong/],
    ['no password', 'postgres:', '/postgres', /PostgreSQL at \S+\/postgres: .* Set PGPASSWORD/],
    ['a database that does not exist', undefined, '/nowhere', /Database not found: nowhere\..*createdb nowhere/],
  ])('%s is reported in one line with the next step, without the password', async (_what, user, path, message) => {
    const url = new URL((await postgresDatabase()).address);
    if (user) [url.username, url.password] = user.split(':') as [string, string];
    url.pathname = path;
    for (const command of ['migrate', 'audit', 'start']) {
      const ran = await createRunner({ DATABASE_URL: url.href })(command);
      expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
      expect(ran.stderr).toContain('DATABASE_URL');
      expect(ran.stderr.trim().split('\n')).toHaveLength(1);
      expect(ran.stderr).not.toContain('s3cr3t');
    }
  });

  it('connections is named with its address, without the password', async () => {
    const ran = await createRunner({ DATABASE_URL: 'postgres://me:s3cr3t@127.0.0.1:1/none' })('audit');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/^Can't use PostgreSQL at 127\.0\.0\.1:1\/none: .*ECONNREFUSED.*\nCheck DATABASE_URL/);
    expect(ran.stderr).not.toContain('s3cr3t');
  });
});
