/** PostgreSQL with TLS: the server's certificate and name are verified, and errors explain the fix. */
import { chmod, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../../gateway/src/database/postgres/postgres-store.ts';
import { run } from '../../../scripts/tools/process.ts';
import { type Postgres, startPostgres } from '../../tools/postgres.ts';
import { give } from '../../tools/server-user.ts';
import { until } from '../../tools/wait.ts';
import { selfSigned } from '../deploy/samples.ts';
import { afterwards } from '../harness.ts';
import { createRunner } from './run-command.ts';

const HAS_OPENSSL = await run('openssl', ['version']).then(
  () => true,
  () => false,
);

describe.skipIf(!HAS_OPENSSL)('PostgreSQL with TLS', () => {
  let server: Postgres | undefined;
  let certificate = '';
  let url = '';

  beforeAll(async () => {
    const files = await selfSigned('localhost');
    certificate = files.certificate;
    server = await startPostgres();
    await encrypt(server.url, files);
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

  it.each(['require', 'verify-ca', 'verify-full'])(
    'is refused with sslmode=%s if the authority is unknown',
    async (mode) => {
      const { code, stderr } = await migrate(`${url}?sslmode=${mode}`);
      expect(stderr).toMatch(
        /certificate is from an authority that is unknown here\. Add .* sslrootcert=\/path\/to\/ca\.pem/,
      );
      expect(code).toBe(1);
    },
  );

  it('is refused if the certificate is for another name', async () => {
    const address = `${url.replace('localhost', '127.0.0.1')}?sslmode=verify-full&sslrootcert=${certificate}`;
    const { code, stderr } = await migrate(address);
    expect(stderr).toContain("The server's certificate is for another name.");
    expect(code).toBe(1);
  });
});

/** Enables encrypted connections on a running server. It reads the files in its data folder, as its own user. */
async function encrypt(url: string, files: { key: string; certificate: string }): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  for (const [name, file] of Object.entries({ 'server.key': files.key, 'server.crt': files.certificate })) {
    const copy = join(rows[0]?.data_directory ?? '', name);
    await copyFile(file, copy);
    await chmod(copy, 0o600);
    await give(copy);
  }
  await client.query('alter system set ssl = on');
  await client.query('select pg_reload_conf()');
  await until(async () => (await client.query('show ssl')).rows[0].ssl === 'on', 60_000);
  await client.end();
}
