/** Every refused start ends the process with an exit code and a reason, for supervisors and people. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type Store, withKeys } from '../../../gateway/src/database/store.ts';
import { createMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { recordMode } from '../../../gateway/src/merchants/mode.ts';
import { createSigningSecret } from '../../../gateway/src/merchants/signing-secrets.ts';
import { KeyRing } from '../../../gateway/src/platform/key-ring.ts';
import { recordPersonalKey } from '../../../gateway/src/transactions/personal-data.ts';
import { type Ran, ROOT, run } from '../../../scripts/tools/process.ts';
import { START } from '../harness/fixtures.ts';
import { afterwards, sqliteDatabase } from '../harness.ts';
import { startProcess } from '../processes/gateways.ts';
import { administer, createRunner, toEnvironment } from './run-command.ts';

type Env = Readonly<Record<string, string>>;

const CONFIG = fileURLToPath(new URL('../harness/live.config.ts', import.meta.url));
const KEY = randomBytes(32);
const SECRETS_KEY = KEY.toString('base64');
const OTHER_KEY = randomBytes(32).toString('base64');
const LIVE = { LIVE: 'true', SECRETS_KEY, CONFIG };
const DEFAULTS = { HOST: '127.0.0.1', LOG_LEVEL: 'fatal', SANDBOX: 'false' };

interface Refusal {
  readonly code: number;
  /** The first line. */
  readonly says: RegExp;
}

interface Start extends Refusal {
  readonly env: Env;
  readonly command?: 'sandbox';
}

/** A start on a database, which has its tables. */
interface StartOnDatabase extends Refusal {
  readonly when: string;
  readonly env?: Env;
  readonly prepare: (store: Store) => Promise<unknown>;
}

function expectRefusal(ran: Ran, { code, says }: Refusal): void {
  expect(ran).toMatchObject({ code, stdout: '' });
  expect(ran.stderr.split('\n', 1)[0]).toMatch(says);
  expect(ran.stderr, 'a stack').not.toMatch(/^\s+at /m);
}

function start(env: Env, command = 'start'): Promise<Ran> {
  return createRunner({ ...DEFAULTS, ...env })(command, '--port', '0');
}

const SETTINGS: readonly Start[] = [
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

it.each(SETTINGS)('a start with refused settings exits with a reason: $says', async ({ env, command, ...refusal }) => {
  expectRefusal(await start(env, command), refusal);
});

async function addSecret(store: Store): Promise<void> {
  await store.unit(async (db) => {
    const merchant = await createMerchant(db, 'Shop', START);
    await createSigningSecret(db, merchant.id, Date.now());
  });
}

async function addPersonalData(store: Store, mode: 'live' | 'test'): Promise<void> {
  await store.unit(async (db) => {
    await recordMode(db, mode);
    await recordPersonalKey(db);
  });
}

const encrypting = (store: Store) => withKeys(store, new KeyRing([KEY]));
const UNREADABLE = { code: 1, says: /^SECRETS_KEY can't decrypt the data of the database:$/ };
const UNENCRYPTED = { code: 1, says: /^LIVE is set, but the database has unencrypted data:$/ };

const ON_DATABASES: readonly StartOnDatabase[] = [
  {
    ...{ when: 'secrets are encrypted with another key', env: { SECRETS_KEY: OTHER_KEY }, ...UNREADABLE },
    prepare: (store) => addSecret(encrypting(store)),
  },
  {
    ...{ when: 'personal data is encrypted with another key', env: { SECRETS_KEY: OTHER_KEY }, ...UNREADABLE },
    prepare: (store) => addPersonalData(encrypting(store), 'test'),
  },
  {
    ...{ when: 'personal data is in the clear with LIVE', env: LIVE, ...UNENCRYPTED },
    prepare: (store) => addPersonalData(store, 'live'),
  },
  {
    ...{ when: 'secrets are in the clear with LIVE', env: LIVE, ...UNENCRYPTED },
    prepare: async (store) => {
      await addSecret(store);
      await store.unit((db) => recordMode(db, 'live'));
    },
  },
  {
    ...{ when: 'the database is live', code: 2, says: / is live: .*Set LIVE=true/ },
    prepare: (store) => store.unit((db) => recordMode(db, 'live')),
  },
  {
    ...{ when: 'the database is for tests with LIVE', env: LIVE, code: 2, says: / is for tests: .*Remove LIVE\./ },
    prepare: (store) => store.unit((db) => recordMode(db, 'test')),
  },
  {
    ...{ when: 'the schema is missing and must not be migrated', env: { MIGRATE: 'false' } },
    prepare: (store) => store.unit((db) => db.run('update schema_version set version = 0')),
    ...{ code: 1, says: /the database has no tables of the gateway\.$/ },
  },
];

it.each(ON_DATABASES)('a start is refused with a reason when $when', async ({ prepare, env, ...refusal }) => {
  const { store, env: database } = await administer(sqliteDatabase);
  await prepare(store);
  await store.close();
  expectRefusal(await start({ ...database, ...env }), refusal);
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
  for (const file of [address, link]) expectRefusal(await start({ DATABASE_FILE: file }), refusal);
  await first.end('SIGKILL');
  const free = { code: 1, says: /^Can't listen on 203\.0\.113\.1:0: / };
  expectRefusal(await start({ DATABASE_FILE: link, HOST: '203.0.113.1' }), free);
});
