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

function expectRefusal(ran: Ran, { code, says }: Refusal): void {
  expect(ran).toMatchObject({ code, stdout: '' });
  expect(ran.stderr.split('\n', 1)[0]).toMatch(says);
  expect(ran.stderr, 'a stack').not.toMatch(/^\s+at /m);
}

function start(env: Env, command = 'start'): Promise<Ran> {
  return createRunner({ ...DEFAULTS, ...env })(command, '--port', '0');
}

it.each<[code: number, says: RegExp, env: Env, command?: string]>([
  [2, /^SEED is set, but LIVE is too/, { ...LIVE, SEED: 'seed' }],
  [2, /^LIVE and SANDBOX are both set/, { ...LIVE, SANDBOX: 'true' }],
  [2, /^PUBLIC_URL is '\S+', which leads payers to their own/, { ...LIVE, PUBLIC_URL: 'http://[::1]:4000' }],
  [2, /^CORS_ORIGINS is '\*', but LIVE is set\./, { ...LIVE, CORS_ORIGINS: '*' }],
  [2, /^LIVE is set, but a demo never moves real money\./, LIVE, 'sandbox'],
  [2, /^HOST is '0\.0\.0\.0', so everyone who reaches it/, { HOST: '0.0.0.0', SANDBOX: 'true' }],
  [1, /^Can't open \/dev\/null\/payments\.db: /, { DATABASE_FILE: '/dev/null/payments.db' }],
])('a start with refused settings exits with %i and a reason: %s', async (code, says, env, command) => {
  expectRefusal(await start(env, command), { code, says });
});

async function addSecret(store: Store, mode: 'live' | 'test' = 'test'): Promise<void> {
  await store.unit(async (db) => {
    await recordMode(db, mode);
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

const forgetSchema = (store: Store) => store.unit((db) => db.run('update schema_version set version = 0'));
const encrypting = (store: Store) => withKeys(store, new KeyRing([KEY]));
const UNREADABLE = { code: 1, says: /^SECRETS_KEY can't decrypt the data of the database:$/ };
const UNENCRYPTED = { code: 1, says: /^LIVE is set, but the database has unencrypted data:$/ };

const TEST = { code: 2, says: / is for tests: .*Remove LIVE\./ };
const IN_LIVE_USE = { code: 2, says: / is live: .*Set LIVE=true/ };
const NO_TABLES = { code: 1, says: /the database has no tables of the gateway\.$/ };
const withOtherKey = { SECRETS_KEY: OTHER_KEY };

it.each<[when: string, env: Env, refusal: Refusal, prepare: (store: Store) => Promise<unknown>]>([
  ['secrets have another key', withOtherKey, UNREADABLE, (store) => addSecret(encrypting(store))],
  ['personal data has another key', withOtherKey, UNREADABLE, (store) => addPersonalData(encrypting(store), 'test')],
  ['personal data is in the clear with LIVE', LIVE, UNENCRYPTED, (store) => addPersonalData(store, 'live')],
  ['secrets are in the clear with LIVE', LIVE, UNENCRYPTED, (store) => addSecret(store, 'live')],
  ['the database is live', {}, IN_LIVE_USE, (store) => store.unit((db) => recordMode(db, 'live'))],
  ['the database is for tests with LIVE', LIVE, TEST, (store) => store.unit((db) => recordMode(db, 'test'))],
  ['the schema is missing and must not be migrated', { MIGRATE: 'false' }, NO_TABLES, forgetSchema],
])('a start is refused with a reason when %s', async (_when, env, refusal, prepare) => {
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
