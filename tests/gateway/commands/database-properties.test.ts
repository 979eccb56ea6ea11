/** Properties of a PostgreSQL database that cause failures only with certain data, or in a server crash. */

import { chmod, copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../../gateway/src/database/postgres/postgres-store.ts';
import { requireProperties } from '../../../gateway/src/database/postgres/profile.ts';
import { StoreUnavailable, UnusableDatabase } from '../../../gateway/src/database/store.ts';
import { run } from '../../../scripts/tools/process.ts';
import { installed } from '../../tools/installed.ts';
import { type Postgres, query, startPostgres } from '../../tools/postgres.ts';
import { give } from '../../tools/server-user.ts';
import { until } from '../../tools/wait.ts';
import { afterwards, separateDatabase, startTestGateway, temporaryFolder } from '../harness.ts';
import { createRunner } from './run-command.ts';

const UTF8 = "encoding 'UTF8' template template0";
const ICU = `${UTF8} locale_provider icu icu_locale 'en'`;
const OTHER_VERSION = "update pg_database set datcollversion = '1' where datname = current_database()";

it('a database with another encoding than UTF-8 is refused', async () => {
  const { address } = await separateDatabase("encoding 'LATIN1' locale 'C' template template0");
  const { code, stderr } = await createRunner({ DATABASE_URL: address })('start', '--port', '0');
  expect(code).toBe(1);
  expect(stderr).toContain("Its encoding is LATIN1, which can't store every name.");
  expect(stderr).toContain('createdb --template=template0 --encoding=UTF8');
});

it('a database with a changed sort order is refused until its indexes are rebuilt, as the error says', async () => {
  const { address, connect } = await separateDatabase(ICU);
  const migrate = () => createRunner({ DATABASE_URL: address })('migrate');
  expect(await migrate()).toMatchObject({ code: 0 });
  const { call } = await startTestGateway({ store: connect() });
  expect(await call('GET', '/health/ready')).toMatchObject({ status: 200 });
  await query(address, OTHER_VERSION);
  expect(await call('GET', '/health/ready')).toMatchObject({ status: 503, body: { reason: 'unusable' } });
  const { code, stderr } = await migrate();
  expect(code).toBe(1);
  expect(stderr).toMatch(/so that an order could be stored twice/);
  for (const [statement] of stderr.matchAll(/^(reindex|alter) .*;$/gm)) await query(address, statement);
  expect(await migrate()).toMatchObject({ code: 0 });
});

describe('a gateway', () => {
  /** Opens a new database with the setting. */
  async function openWith(setting: string, options?: Parameters<typeof openPostgres>[1]) {
    const { address } = await separateDatabase(UTF8);
    await query(address, `alter database "${new URL(address).pathname.slice(1)}" set ${setting}`);
    const store = openPostgres(address, options);
    afterwards(() => store.close());
    return { address, store };
  }

  it('refuses a database that acknowledges commits before they are on disk', async () => {
    const { address, store } = await openWith('synchronous_commit = off', { isGateway: true });
    await expect(store.ping()).rejects.toThrow(UnusableDatabase);
    expect(await createRunner({ DATABASE_URL: address })('migrate')).toMatchObject({ code: 0 });
  });

  it('refuses a standby, although a command may read it', () => {
    const standby = { encoding: 'UTF8', is_standby: 1 };
    expect(() => requireProperties(standby, { isGateway: true })).toThrow(StoreUnavailable);
    requireProperties(standby, { isGateway: false });
  });

  it("runs units of work at read committed, regardless of the database's default", async () => {
    const { store } = await openWith('default_transaction_isolation = serializable');
    const row = await store.unit((db) => db.get("select current_setting('transaction_isolation') as level"));
    expect(row).toEqual({ level: 'read committed' });
  });
});

describe.skipIf(!installed('openssl'))('PostgreSQL with TLS', () => {
  let server: Postgres | undefined;
  let certificate = '';
  let url = '';

  beforeAll(async () => {
    const folder = await temporaryFolder();
    const key = join(folder, 'server.key');
    certificate = join(folder, 'server.crt');
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject];
    await run('openssl', ['req', ...made, '-keyout', key, '-out', certificate]);
    server = await startPostgres();
    await encrypt(server.url, [key, certificate]);
    url = server.url.replace('127.0.0.1', 'localhost');
  });
  afterAll(() => server?.close());

  const migrate = (address: string) => createRunner({ DATABASE_URL: address })('migrate');

  it('works with a known authority', async () => {
    const address = `${url}?sslmode=verify-full&sslrootcert=${certificate}`;
    expect(await migrate(address)).toMatchObject({ code: 0 });
    const store = openPostgres(address);
    afterwards(() => store.close());
    const row = await store.read.get('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
    expect(row).toEqual({ ssl: true });
  });

  it.each([
    ['localhost', 'require', /from an authority that is unknown here\. Add .* sslrootcert=\/path\/to\/ca\.pem/],
    ['localhost', 'verify-full', /certificate is from an authority that is unknown here\./],
    ['127.0.0.1', 'verify-full&sslrootcert=', /The server's certificate is for another name\./],
  ])('is refused for %s with sslmode=%s', async (host, mode, message) => {
    const address = `${url.replace('localhost', host)}?sslmode=${mode.replace(/=$/, `=${certificate}`)}`;
    expect(await migrate(address)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
  });
});

/** Enables encrypted connections on a running server. It reads the files in its data folder, as its own user. */
async function encrypt(url: string, files: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  for (const file of files) {
    const copy = join(rows[0]?.data_directory ?? '', basename(file));
    await copyFile(file, copy);
    await chmod(copy, 0o600);
    await give(copy);
  }
  await client.query('alter system set ssl = on');
  await client.query('select pg_reload_conf()');
  await until(async () => (await client.query('show ssl')).rows[0].ssl === 'on', 60_000);
  await client.end();
}
