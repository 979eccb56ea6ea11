/** Databases for tests, new for each and dropped afterwards. */
import { randomBytes } from 'node:crypto';
import { readFile, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, inject } from 'vitest';
import { migrate, PREPARATION, readMigrations } from '../../../gateway/src/database/migrate.ts';
import { openPostgres, type PostgresOptions } from '../../../gateway/src/database/postgres/postgres-store.ts';
import { openSqlite } from '../../../gateway/src/database/sqlite/sqlite-store.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { PGBOUNCER } from '../../tools/pgbouncer.ts';
import { databaseUrl } from '../../tools/postgres.ts';
import { afterwards, temporaryFolder } from './afterwards.ts';
import { type Conflicts, injectConflicts } from './conflicts.ts';
import './global-setup.ts';
import { SchemaPool } from './schemas.ts';

/** A database without tables for any number of stores. */
export interface TestDatabase {
  readonly kind: Store['kind'];
  /** The file, or the URL. */
  readonly address: string;
  /** Opens a store on it, closed after the test. */
  connect(options?: { queueMax?: number; max?: number }): Store;
}

export interface PooledDatabase extends TestDatabase {
  /** The URL without the pooler. */
  readonly direct: string;
}

/** Few, since many suites share one server. */
const CONNECTIONS_MAX = 8;
/** A stalled machine must not look like a lost server. */
const PATIENT = {
  connectionTimeoutMillis: 120_000,
  query_timeout: 120_000,
  statement_timeout: 120_000,
  idle_in_transaction_session_timeout: 120_000,
};

const SHARED_MEMORY = '/dev/shm';
/** Bytes. Containers have 64 MB by default. */
const SHARED_MEMORY_MIN = 2 ** 30;

/** Opens a database without tables, and a store on a database with them. */
interface Kind {
  readonly database: () => Promise<TestDatabase>;
  readonly open: () => Promise<Store>;
}

const SQLITE: Readonly<Record<string, Kind>> = { sqlite: { database: sqliteDatabase, open: openTestSqlite } };
const DATABASES: typeof SQLITE = {
  ...SQLITE,
  postgres: { database: () => postgresDatabase(), open: () => openTestPostgres() },
};

type Suite = (open: () => Promise<Store>, database: () => Promise<TestDatabase>) => void;

/** PostgreSQL in the portable profile, on connections with injected conflicts: tests/gateway/store/portable.long.test.ts. */
const PORTABLE: typeof DATABASES = {
  portable: {
    database: () => postgresDatabase(CONFLICTS.connection),
    open: () => openTestPostgres(CONFLICTS.connection),
  },
};
const CONFLICTS = injectConflicts('suites', 0.2);
/** Restricts the suites to it while set. Mutants are tried on SQLite only: tests/mutants/vitest.config.ts. */
let only: typeof DATABASES | undefined = process.env['TEST_DATABASES'] === 'sqlite' ? SQLITE : undefined;

/** Restricts the suites defined until the returned function is called to the portable profile. */
export function onPortableOnly(): () => void {
  only = PORTABLE;
  return () => {
    only = undefined;
  };
}

/** The serialization failures injected into stores in the portable profile so far. */
export function injectedConflicts(): Conflicts['injected'] {
  return CONFLICTS.injected;
}

const WITHOUT_POOLER = PGBOUNCER === undefined ? ' (skipped, since pgbouncer is not installed)' : '';

/**
 * Runs the suite on SQLite and on PostgreSQL. Each `open()` returns a store on a new database with its tables. For
 * several stores on one database, or one without tables, use `database()`.
 */
export function describeOnEachStore(name: string, suite: Suite): void {
  describe.each(Object.entries(only ?? DATABASES))(`${name} (%s)`, (_kind, { open, database }) => {
    suite(open, database);
  });
}

/** Runs the suite on each store, and on PostgreSQL behind a pooler with few connections. */
export function describeOnEachConnection(name: string, suite: Suite): void {
  describeOnEachStore(name, suite);
  describeBehindPooler(`${name} (postgres behind a pooler)`, () => {
    suite(openPooled, pooledDatabase);
  });
}

/** Skips the suite if no pooler is installed. */
export function describeBehindPooler(name: string, suite: () => void): void {
  if (only) return;
  describe.skipIf(PGBOUNCER === undefined)(name + WITHOUT_POOLER, suite);
}

/**
 * A store on a new SQLite file with its tables, for suites independent of the database. The file is a copy, which
 * spares hundreds of migrations.
 */
export async function openTestSqlite(): Promise<Store> {
  migratedFile ??= migrateFile();
  const [database, migrated] = await Promise.all([sqliteDatabase(), migratedFile]);
  await writeFile(database.address, migrated);
  return database.connect();
}

let migratedFile: Promise<Buffer> | undefined;

async function migrateFile(): Promise<Buffer> {
  const { address } = await sqliteDatabase();
  const store = openSqlite(address);
  await migrate(store);
  await store.close();
  return readFile(address);
}

/** A store on an empty schema with the gateway's tables. */
export async function openTestPostgres(connection?: Connecting): Promise<Store> {
  migrated ??= new SchemaPool(administer, migrateSchema);
  return databaseAt(selectSchema(await postgresServer(), await migrated.take()), connection).connect();
}

let migrated: SchemaPool | undefined;

/** Creates a schema with its tables in one round trip, instead of one per statement of the migrations. */
async function migrateSchema(): Promise<string> {
  const schema = newName();
  const applied = readMigrations('postgres');
  const statements = [
    ...['begin', `create schema ${schema}`, `set local search_path to ${schema}`, ...PREPARATION],
    ...applied.flatMap((migration) => migration.statements),
    `update schema_version set version = ${applied.length}, usable_by = 1, baseline = '${applied[0]?.hash}'`,
    'commit',
  ];
  await administer(statements.join(';\n'));
  return schema;
}

async function openPooled(): Promise<Store> {
  const store = (await pooledDatabase()).connect();
  await migrate(store);
  return store;
}

/** A file for stores. */
export async function sqliteDatabase(): Promise<TestDatabase> {
  const address = join(await temporaryFolder(await databasesFolder()), 'gateway.db');
  return { kind: 'sqlite', address, connect: (options) => closedAfterwards(openSqlite(address, options)) };
}

/**
 * A memory file system where Linux has one large enough, since each unit of work would wait for a sync to disk
 * otherwise.
 */
async function databasesFolder(): Promise<string> {
  const { bavail = 0, bsize = 0 } = (await statfs(SHARED_MEMORY).catch(() => undefined)) ?? {};
  return bavail * bsize >= SHARED_MEMORY_MIN ? SHARED_MEMORY : tmpdir();
}

/** Creates a schema on the PostgreSQL server. The URL selects it. */
export async function postgresDatabase(connection?: Connecting): Promise<TestDatabase> {
  const schema = newName();
  await administer(`create schema ${schema}`);
  afterwards(() => administer(`drop schema ${schema} cascade`));
  return databaseAt(selectSchema(await postgresServer(), schema), connection);
}

function newName(): string {
  return `test_${randomBytes(8).toString('hex')}`;
}

function selectSchema(server: string, schema: string): string {
  const url = new URL(server);
  url.searchParams.set('options', `-c search_path=${schema}`);
  // URLSearchParams writes a space as `+`, which the server would take literally.
  return url.href.replaceAll('+', '%20');
}

/** A separate database on the PostgreSQL server. The URL leads through PgBouncer, which can't select a schema. */
export async function pooledDatabase(): Promise<PooledDatabase> {
  const [{ name, address: direct }, pooler] = await Promise.all([separateDatabase(), postgresServer('pgbouncer')]);
  return { ...databaseAt(databaseUrl(pooler, name), { pooler: 'transaction' }), direct };
}

interface SeparateDatabase extends TestDatabase {
  readonly name: string;
  /** PostgreSQL's counter, after all connections to the database have been closed. */
  counted(name: 'deadlocks' | 'xact_commit'): Promise<number>;
}

/** Creates a separate database on the PostgreSQL server, whose counters include only this test. */
export async function separateDatabase(options = ''): Promise<SeparateDatabase> {
  const name = newName();
  await administer(`create database ${name} ${options}`);
  afterwards(() => administer(`drop database ${name} with (force)`));
  const count = async (counter: string) =>
    Number((await administer(`select ${counter} as n from pg_stat_database where datname = '${name}'`))[0]?.['n']);
  return { ...databaseAt(databaseUrl(await postgresServer(), name)), name, counted: count };
}

type Connecting = Pick<PostgresOptions, 'pooler' | 'profile' | 'Client'>;

function databaseAt(address: string, connection: Connecting = {}): TestDatabase {
  return {
    kind: 'postgres',
    address,
    connect: (options) =>
      closedAfterwards(openPostgres(address, { max: CONNECTIONS_MAX, timeLimits: PATIENT, ...connection, ...options })),
  };
}

/** The address of the server, or of the pooler. It stays the same for the whole run. */
function postgresServer(pooler = ''): Promise<string> {
  const server = servers.get(pooler) ?? askForServer(pooler);
  servers.set(pooler, server);
  return server;
}

const servers = new Map<string, Promise<string>>();

async function askForServer(pooler: string): Promise<string> {
  const answer = await fetch(inject('postgres') + pooler);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

/** Shared by tests, since connecting takes longer than the statements. */
let administration: pg.Pool | undefined;

async function administer(statement: string): Promise<Record<string, unknown>[]> {
  const connectionString = await postgresServer();
  administration ??= new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 2_000, allowExitOnIdle: true });
  return (await administration.query(statement)).rows;
}

function closedAfterwards<S extends Store>(store: S): S {
  afterwards(() => store.close());
  return store;
}
