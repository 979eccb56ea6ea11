/** The store that the settings select, and what to tell the user if it can't be used. */
import { existsSync } from 'node:fs';
import { UserError } from '../../../contract/src/cli.ts';
import type { Config } from '../config.ts';
import { migrate, requireSchema, UnknownSchema } from '../store/migrate.ts';
import { openPostgres } from '../store/postgres/postgres-store.ts';
import { openSqlite } from '../store/sqlite/sqlite-store.ts';
import { type Store, StoreUnavailable, UnusableDatabase } from '../store/store.ts';

const CHECK_FILE =
  'Check DATABASE_FILE, that this user may write to the file and its folder, and that the disk has room.';
const CHECK_URL = 'Check DATABASE_URL, and that the server is running.';

/** Opens the store for the gateway: creates a missing file, and brings the schema up to date. */
export async function openStore(config: Config): Promise<Store> {
  return prepared(config, async (store) => {
    await migrate(store);
  });
}

/** Creates a missing file, and brings the schema up to date. Returns the names of the migrations that were applied. */
export async function migrateDatabase(config: Config): Promise<string[]> {
  let applied: string[] = [];
  const store = await prepared(config, async (opened) => {
    applied = await migrate(opened);
  });
  await store.close();
  return applied;
}

/** Opens the store for a command beside the gateway: creates nothing, and refuses a schema that it doesn't know. */
export async function openExistingStore(config: Config): Promise<Store> {
  const { databaseUrl, databaseFile } = config;
  if (!databaseUrl && !existsSync(databaseFile)) {
    throw new UserError(
      `There is no database at ${databaseFile}.\nSet DATABASE_FILE or DATABASE_URL to the database of the gateway, or create it: payments-gateway migrate`,
    );
  }
  return prepared(config, requireSchema);
}

/** The store in words, without the password. */
export function describeStore(config: Config): string {
  if (!config.databaseUrl) return `SQLite in ${config.databaseFile}`;
  const { host, pathname } = new URL(config.databaseUrl);
  return `PostgreSQL at ${host}${pathname}`;
}

/** Opens the store, checks that it can be reached, and prepares it. */
async function prepared(config: Config, prepare: (store: Store) => Promise<void>): Promise<Store> {
  const store = open(config);
  try {
    await store.read.get('select 1').catch((error: unknown) => {
      throw new UserError(unreachable(config, error));
    });
    await prepare(store);
    return store;
  } catch (error) {
    await store.close().catch(() => undefined);
    throw explained(config, error);
  }
}

function open(config: Config): Store {
  if (config.databaseUrl) return openPostgres(config.databaseUrl, { max: config.databaseConnections });
  try {
    return openSqlite(config.databaseFile);
  } catch (error) {
    if (!(error instanceof UnusableDatabase)) throw error;
    throw new UserError(`Can't open ${config.databaseFile}: ${(error as Error).message}\n${CHECK_FILE}`);
  }
}

/** What PostgreSQL's error codes mean here, and the next step. */
const REFUSALS: Readonly<Record<string, (user: string, database: string) => string>> = {
  '28P01': (user) => `The password of role ${user} is wrong. Correct DATABASE_URL.`,
  '28000': (user) => `The server doesn't admit role ${user}. Correct DATABASE_URL, or create the role.`,
  '3D000': (_, database) =>
    `There is no database ${database}. Correct DATABASE_URL, or create it: createdb ${database}`,
  '42501': (user, database) =>
    `Role ${user} may not create tables. Grant it: grant create on schema public to ${user} (in ${database})`,
  '25006': () => 'The server is read-only. Set DATABASE_URL to the primary.',
};

function unreachable(config: Config, error: unknown): string {
  const { message, cause } = error as Error;
  const reason = cause instanceof Error ? cause : (error as Error & { code?: string });
  const refusal = refusalOf(config, reason);
  const next = config.databaseUrl ? CHECK_URL : CHECK_FILE;
  return `Can't use ${describeStore(config)}: ${refusal ?? `${reason.message || message}\n${next}`}`;
}

function refusalOf(config: Config, error: unknown): string | undefined {
  if (!config.databaseUrl) return undefined;
  const { username, pathname } = new URL(config.databaseUrl);
  const refusal = REFUSALS[(error as { code?: string }).code ?? ''];
  return refusal?.(decodeURIComponent(username) || 'of the environment', pathname.slice(1) || username);
}

/** A UserError for what the user can change; anything else is a defect. */
function explained(config: Config, error: unknown): unknown {
  if (error instanceof UnknownSchema) return new UserError(`${describeStore(config)}: ${nextVersion(error)}`);
  const known = error instanceof StoreUnavailable || refusalOf(config, error) !== undefined;
  return known ? new UserError(unreachable(config, error)) : error;
}

function nextVersion({ found, known }: UnknownSchema): string {
  const versions = `the schema is at version ${found}, and this payments-gateway needs version ${known}.`;
  if (found > known) return `${versions}\nUpdate payments-gateway.`;
  if (found === 0)
    return `the database has no tables of the gateway.\nCorrect DATABASE_URL or DATABASE_FILE, or create them: payments-gateway migrate`;
  return `${versions}\nStop the gateways of the older version, make a backup, then run: payments-gateway migrate`;
}
