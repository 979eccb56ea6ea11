/** Opens the configured database, and explains errors to the user. */
import { existsSync } from 'node:fs';
import { UserError } from '../../../contract/src/cli.ts';
import type { GatewayConfig } from '../config/settings.ts';
import { migrate, prepareSchema, requireSchema, UnknownSchema, UnreleasedSchema } from '../database/migrate.ts';
import { isGatewayFile, listDamages, lockForGateway } from '../database/sqlite/database-file.ts';
import { openSqlite } from '../database/sqlite/sqlite-store.ts';
import { type Store, StoreUnavailable, UnusableDatabase, withKeys } from '../database/store.ts';
import { checkMode, type Mode, recordMode, toMode, WrongMode } from '../merchants/mode.ts';
import { KeyRing } from '../platform/key-ring.ts';

const CHECK_FILE =
  'Check DATABASE_FILE, that this user may write to the file and its folder, and that the disk has room.';
const NO_TABLES = `the database has no tables of the gateway.
Correct DATABASE_URL or DATABASE_FILE, or create them: payments-gateway migrate`;
const OTHER_MODE: Readonly<Record<Mode, string>> = {
  live: 'is live: its money is real, and LIVE is not set. Set LIVE=true, or pass --live.',
  test: 'is for tests: its money is not real, but LIVE is set. Remove LIVE.',
};
const OTHER_DATABASE = 'To use another database, set DATABASE_FILE or DATABASE_URL.';
const CHECK_URL = 'Check DATABASE_URL, and that the server is running.';

/** Opens the store for the gateway: creates a missing file, and brings the schema up to date unless the settings forbid it. */
export async function openConfiguredStore(config: GatewayConfig): Promise<Store> {
  const release = lockFile(config);
  try {
    requireSound(config);
    const store = await prepared(config, await open(config, true), async (opened) => {
      // A start in the wrong mode doesn't even upgrade the schema.
      if (await opened.hasTable('database_mode')) await checkMode(opened.read, toMode(config));
      await prepareSchema(opened, { upgrade: config.migrate });
    });
    return { ...store, close: () => store.close().finally(release) };
  } catch (error) {
    release();
    throw error;
  }
}

/** Keeps other gateways off an SQLite file until the returned function is called. */
function lockFile(config: GatewayConfig): () => void {
  if (config.databaseUrl) return () => undefined;
  const release = unlessUnusable(config, () => lockForGateway(config.databaseFile));
  if (release) return release;
  throw new UserError(
    `${describeStore(config)} is used by another gateway, and an SQLite file is for a single one.\nStop the other gateway, or set DATABASE_URL to a PostgreSQL database, which any number of gateways can share.`,
  );
}

/**
 * Creates a missing file, migrates the schema, and records the mode if given. Returns the names of the applied
 * migrations.
 */
export async function migrateDatabase(config: GatewayConfig, mode?: Mode): Promise<string[]> {
  let applied: string[] = [];
  const store = await prepared(config, await open(config), async (opened) => {
    applied = await migrate(opened);
    if (!mode) return;
    await opened
      .unit((db) => recordMode(db, mode))
      .catch((error: unknown) => {
        if (!(error instanceof WrongMode)) throw error;
        const kind = error.mode === 'live' ? 'live' : 'for tests';
        throw new UserError(`${describeStore(config)} is ${kind} already, for good.\n${OTHER_DATABASE}`, 2);
      });
  });
  await store.close();
  return applied;
}

/** Throws a UserError if there is no SQLite file, so that no command creates one. */
export function requireDatabase({ databaseUrl, databaseFile }: GatewayConfig): void {
  if (databaseUrl || existsSync(databaseFile)) return;
  throw new UserError(
    `Database not found: ${databaseFile}.\nSet DATABASE_FILE or DATABASE_URL to the database of the gateway, or create it: payments-gateway migrate`,
  );
}

/**
 * Runs an action on the gateway's database, even if no gateway is running. Creates nothing and rejects an unknown
 * schema.
 */
export async function withExistingStore<T>(config: GatewayConfig, work: (store: Store) => Promise<T>): Promise<T> {
  requireDatabase(config);
  requireGatewayFile(config);
  const store = await prepared(config, await open(config), requireSchema);
  try {
    return await work(store);
  } catch (error) {
    throw explained(config, error);
  } finally {
    await store.close();
  }
}

/** Checks an SQLite file page by page, if the settings ask for it. */
function requireSound(config: GatewayConfig): void {
  if (config.checkDatabase === 'none' || !existsSync(config.databaseFile)) return;
  const damages = unlessUnusable(config, () => listDamages(config.databaseFile));
  if (damages.length === 0) return;
  throw new UserError(
    `${describeStore(config)} is damaged:\n${damages.map((damage) => `- ${damage}`).join('\n')}\nRestore a backup.`,
  );
}

/** Opening an SQLite file as a store changes it, so a file of another program is refused before. */
function requireGatewayFile(config: GatewayConfig): void {
  const isGateway = config.databaseUrl !== '' || unlessUnusable(config, () => isGatewayFile(config.databaseFile));
  if (!isGateway) throw new UserError(`${describeStore(config)}: ${NO_TABLES}`);
}

export const RESTORE = 'The database is damaged. Restore a backup.';

/** The store in words, without the password. */
export function describeStore(config: GatewayConfig): string {
  if (!config.databaseUrl) return `SQLite in ${config.databaseFile}`;
  const { host, pathname } = new URL(config.databaseUrl);
  return `PostgreSQL at ${host}${pathname}`;
}

/** Checks that the store can be reached, and prepares it. Closes it if that fails. */
async function prepared(config: GatewayConfig, store: Store, prepare: (store: Store) => Promise<void>): Promise<Store> {
  try {
    await store.ping().catch((error: unknown) => {
      throw new UserError(unreachable(config, error));
    });
    await prepare(store);
    return store;
  } catch (error) {
    await store.close().catch(() => undefined);
    throw explained(config, error);
  }
}

/** Opens the database with the keys of the settings. */
async function open(config: GatewayConfig, isGateway = false): Promise<Store> {
  const { secretsKey, secretsKeyPrevious } = config;
  return withKeys(await connect(config, isGateway), new KeyRing([...secretsKey, ...secretsKeyPrevious]));
}

async function connect(config: GatewayConfig, isGateway: boolean): Promise<Store> {
  const { databaseUrl, databaseConnections, databasePooler, databaseProfile } = config;
  if (databaseUrl) {
    // The driver takes a while to load.
    const { openPostgres } = await import('../database/postgres/postgres-store.ts');
    return openPostgres(databaseUrl, {
      max: databaseConnections,
      pooler: databasePooler,
      profile: databaseProfile,
      isGateway,
    });
  }
  return unlessUnusable(config, () => openSqlite(config.databaseFile));
}

function unlessUnusable<T>(config: GatewayConfig, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof UnusableDatabase)) throw error;
    throw new UserError(`Can't open ${config.databaseFile}: ${error.message}\n${CHECK_FILE}`);
  }
}

const untrusted = () =>
  "The server's certificate is from an authority that is unknown here. Add the certificate of the authority to DATABASE_URL: sslrootcert=/path/to/ca.pem";

/** Meanings of error codes of PostgreSQL and of TLS, with the next step. */
const REFUSALS: Readonly<Record<string, (user: string, database: string) => string>> = {
  '28P01': (user) => `The password of role ${user} is wrong. Correct PGPASSWORD or DATABASE_URL.`,
  '28000': (user) => `The server doesn't admit role ${user}. Correct DATABASE_URL, or create the role.`,
  '3D000': (_, database) => `Database not found: ${database}. Correct DATABASE_URL, or create it: createdb ${database}`,
  '42501': (user, database) =>
    `Role ${user} lacks a permission in database ${database}. Use the role that owns the tables, or let it create them: grant create on schema public to ${user}`,
  '3F000': () =>
    'No schema of the search_path exists. Correct options in DATABASE_URL, or create the schema: create schema NAME',
  '25006': () => 'The server is read-only. Set DATABASE_URL to the primary.',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: () =>
    "The server's certificate is for another name. Use that name as the host in DATABASE_URL.",
  CERT_HAS_EXPIRED: () => "The server's certificate has expired. Renew it on the server.",
};

function unreachable(config: GatewayConfig, error: unknown): string {
  const { message, cause } = error as Error;
  const reason = cause instanceof Error ? cause : (error as Error & { code?: string });
  const refusal = explainRefusal(config, reason);
  const isDamaged = error instanceof StoreUnavailable && error.reason === 'damaged';
  const next = isDamaged ? RESTORE : config.databaseUrl ? CHECK_URL : CHECK_FILE;
  return `Can't use ${describeStore(config)}: ${refusal ?? `${reason.message || message}\n${next}`}`;
}

const MISSING_PASSWORD =
  'The server asks for a password, and none is set. Set PGPASSWORD, or write the password into DATABASE_URL.';

function explainRefusal(config: GatewayConfig, error: unknown): string | undefined {
  if (!config.databaseUrl) return undefined;
  if (error instanceof UnusableDatabase) return error.message;
  const { username, password, pathname } = new URL(config.databaseUrl);
  const { code = '', message } = error as Error & { code?: string };
  const isRefused = code === '28P01' || /client password must be/.test(message);
  if (isRefused && password === '' && !process.env['PGPASSWORD']) return MISSING_PASSWORD;
  const refusal = REFUSALS[code];
  return refusal?.(decodeURIComponent(username) || 'of the environment', pathname.slice(1) || username);
}

/** Returns a UserError if the user can fix it. Other errors are defects. */
function explained(config: GatewayConfig, error: unknown): unknown {
  if (error instanceof WrongMode) return explainMode(config, error);
  if (error instanceof UnknownSchema) return new UserError(`${describeStore(config)}: ${nextVersion(error)}`);
  const known = error instanceof StoreUnavailable || explainRefusal(config, error) !== undefined;
  return known ? new UserError(unreachable(config, error)) : error;
}

/** A UserError for a database of the other mode. Other errors stay unchanged. */
export function explainMode(config: GatewayConfig, error: unknown): unknown {
  if (!(error instanceof WrongMode)) return error;
  return new UserError(`${describeStore(config)} ${OTHER_MODE[error.mode]} ${OTHER_DATABASE}`, 2);
}

const UNRELEASED = `an unreleased revision of payments-gateway created it, and its schema has no upgrade. Nothing was changed.
Move it away, or set DATABASE_FILE or DATABASE_URL to a new database. To read it, run the revision that created it.`;

function nextVersion(error: UnknownSchema): string {
  if (error instanceof UnreleasedSchema) return UNRELEASED;
  const { found, known } = error;
  const versions = `the schema is at version ${found}, and this payments-gateway needs version ${known}.`;
  if (found > known) return `${versions}\nUpdate payments-gateway.`;
  if (found === 0) return NO_TABLES;
  return `${versions}\nMake a backup, then run: payments-gateway migrate`;
}
