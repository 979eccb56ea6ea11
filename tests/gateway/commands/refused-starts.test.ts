/** Every refused start ends the process with an exit code and a reason, for supervisors and people. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { type Store, withKeys } from '../../../gateway/src/database/store.ts';
import { createMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { recordMode } from '../../../gateway/src/merchants/mode.ts';
import { createSigningSecret } from '../../../gateway/src/merchants/signing-secrets.ts';
import { KeyRing } from '../../../gateway/src/platform/key-ring.ts';
import { recordPersonalKey } from '../../../gateway/src/transactions/personal-data.ts';
import { type Ran, ROOT, run } from '../../../scripts/tools/process.ts';
import { START } from '../harness/fixtures.ts';
import { afterwards, postgresDatabase, sqliteDatabase } from '../harness.ts';
import { startProcess } from '../processes/gateways.ts';
import { createRunner, toEnvironment } from './run-command.ts';

type Env = Readonly<Record<string, string>>;

const CONFIG = fileURLToPath(new URL('../harness/live.config.ts', import.meta.url));
const KEY = randomBytes(32);
const SECRETS_KEY = KEY.toString('base64');
const OTHER_KEY = randomBytes(32).toString('base64');
const LIVE = { LIVE: 'true', SECRETS_KEY, CONFIG };
const DEFAULTS = { HOST: '127.0.0.1', LOG_LEVEL: 'fatal', SANDBOX: 'false' };

interface Start {
  readonly env: Env;
  readonly command?: 'sandbox';
  readonly args?: readonly string[];
}

interface Refusal {
  readonly code: number;
  /** The first line. */
  readonly says: RegExp;
}

function expectRefusal(ran: Ran, { code, says }: Refusal): void {
  expect(ran).toMatchObject({ code, stdout: '' });
  expect(ran.stderr.split('\n', 1)[0]).toMatch(says);
  expect(ran.stderr, 'a stack').not.toMatch(/^\s+at /m);
}

function start({ env, command, args = [] }: Start): Promise<Ran> {
  return createRunner({ ...DEFAULTS, ...env })(command ?? 'start', '--port', '0', ...args);
}

const SETTINGS: readonly (Refusal & Start)[] = [
  { env: { PORT: 'x' }, args: ['--port', 'x'], code: 2, says: /^--port is 'x'\. It must be 0 to 65535\.$/ },
  { env: { ...LIVE, SEED: 'seed' }, code: 2, says: /^SEED is set, but LIVE is too/ },
  { env: { ...LIVE, SANDBOX: 'true' }, code: 2, says: /^LIVE and SANDBOX are both set/ },
  {
    env: { ...LIVE, PUBLIC_URL: 'http://[::1]:4000' },
    code: 2,
    says: /^PUBLIC_URL is '\S+', which leads payers to their own/,
  },
  { env: { ...LIVE, CORS_ORIGINS: '*' }, code: 2, says: /^CORS_ORIGINS is '\*', but LIVE is set\./ },
  { env: LIVE, command: 'sandbox', code: 2, says: /^LIVE is set, but a demo never moves real money\./ },
  { env: { HOST: '0.0.0.0', SANDBOX: 'true' }, code: 2, says: /^HOST is '0\.0\.0\.0', so everyone who reaches it/ },
  { env: { DATABASE_FILE: '/dev/null/payments.db' }, code: 1, says: /^Can't open \/dev\/null\/payments\.db: / },
];

it.each(SETTINGS)('a start with refused settings exits with a reason: $says', async (refused) => {
  expectRefusal(await start(refused), refused);
});

interface Situation extends Refusal {
  readonly when: string;
  /** Whether to try it on PostgreSQL, too. */
  readonly everywhere?: boolean;
  readonly env?: Env;
  /** Prepares the database, which has its tables. */
  readonly prepare?: (store: Store) => Promise<unknown>;
}

const encrypted = (store: Store) => addSecret(withKeys(store, new KeyRing([KEY])));

async function addSecret(store: Store): Promise<void> {
  await store.unit(async (db) => {
    const merchant = await createMerchant(db, 'Shop', START);
    await createSigningSecret(db, merchant.id, Date.now());
  });
}

const SITUATIONS: readonly Situation[] = [
  {
    when: 'secrets are encrypted with another key',
    everywhere: true,
    prepare: encrypted,
    env: { SECRETS_KEY: OTHER_KEY },
    code: 1,
    says: /^SECRETS_KEY can't decrypt the data of the database:$/,
  },
  {
    when: 'personal data is encrypted with another key',
    prepare: (store) =>
      withKeys(store, new KeyRing([KEY])).unit(async (db) => {
        await recordMode(db, 'test');
        await recordPersonalKey(db);
      }),
    env: { SECRETS_KEY: OTHER_KEY },
    code: 1,
    says: /^SECRETS_KEY can't decrypt the data of the database:$/,
  },
  {
    when: 'personal data is in the clear with LIVE',
    prepare: (store) =>
      store.unit(async (db) => {
        await recordMode(db, 'live');
        await recordPersonalKey(db);
      }),
    env: LIVE,
    code: 1,
    says: /^LIVE is set, but the database has unencrypted data:$/,
  },
  {
    when: 'secrets are in the clear with LIVE',
    prepare: async (store) => {
      await addSecret(store);
      await store.unit((db) => recordMode(db, 'live'));
    },
    env: LIVE,
    code: 1,
    says: /^LIVE is set, but the database has unencrypted data:$/,
  },
  {
    when: 'the database is live',
    everywhere: true,
    prepare: (store) => store.unit((db) => recordMode(db, 'live')),
    code: 2,
    says: / is live: .*Set LIVE=true/,
  },
  {
    when: 'the database is for tests with LIVE',
    prepare: (store) => store.unit((db) => recordMode(db, 'test')),
    env: LIVE,
    code: 2,
    says: / is for tests: .*Remove LIVE\./,
  },
  {
    when: 'the schema is newer',
    everywhere: true,
    prepare: (store) => store.unit((db) => db.run('update schema_version set version = 999, usable_by = 998')),
    code: 1,
    says: /the schema is at version 999, and this payments-gateway needs version \d+\.$/,
  },
  {
    when: 'the schema is missing and must not be migrated',
    prepare: (store) => store.unit((db) => db.run('update schema_version set version = 0')),
    env: { MIGRATE: 'false' },
    code: 1,
    says: /the database has no tables of the gateway\.$/,
  },
  {
    when: 'the address is not of this machine',
    env: { HOST: '203.0.113.1' },
    code: 1,
    says: /^Can't listen on 203\.0\.113\.1:0: /,
  },
];

describe.each([
  ['sqlite', sqliteDatabase, SITUATIONS],
  ['postgres', postgresDatabase, SITUATIONS.filter(({ everywhere }) => everywhere)],
])('a start refused by the database (%s) or the machine', (_kind, make, situations) => {
  it.each(situations)('exits with a reason when $when', async ({ prepare, env, ...refusal }) => {
    const made = await make();
    const store = made.connect();
    await migrate(store);
    await prepare?.(store);
    await store.close();
    expectRefusal(await start({ env: { ...toEnvironment(made), ...env } }), refusal);
  });
});

it('a start on a port that is taken ends its process', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  afterwards(async () => other.close());
  const { port } = other.address() as { port: number };
  const env = { DATABASE_URL: '', ...DEFAULTS, ...toEnvironment(await sqliteDatabase()) };
  const args = [join(ROOT, 'gateway/src/cli.ts'), 'start', '--port', String(port)];
  const ran = await run(process.execPath, args, { env, allowFailure: true });
  expectRefusal(ran, { code: 1, says: new RegExp(`^Port ${port} is already in use\\.`) });
});

it('an SQLite file is for a single gateway, and free once that gateway is killed', async () => {
  const { address } = await sqliteDatabase();
  const first = await startProcess({ DATABASE_FILE: address });
  const link = `${address}.link`;
  await symlink(address, link);
  const refusal = { code: 1, says: /^SQLite in \S+ is used by another gateway/ };
  for (const file of [address, link]) expectRefusal(await start({ env: { DATABASE_FILE: file } }), refusal);
  await first.end('SIGKILL');
  const free = { code: 1, says: /^Can't listen on 203\.0\.113\.1:0: / };
  expectRefusal(await start({ env: { DATABASE_FILE: link, HOST: '203.0.113.1' } }), free);
});
