/** Databases for tests: each one fresh, and gone afterwards. */
import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, inject } from 'vitest';
import { migrate } from '../../../gateway/src/store/migrate.ts';
import { openPostgres } from '../../../gateway/src/store/postgres/postgres-store.ts';
import { openSqlite } from '../../../gateway/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../gateway/src/store/store.ts';
import { afterwards, temporaryFolder } from './afterwards.ts';
import './global-setup.ts';

/** A database without tables that any number of stores can be opened on. */
export interface TestDatabase {
  readonly kind: Store['kind'];
  /** The file, or the URL. */
  readonly address: string;
  /** Opens a store on it, which is closed afterwards. */
  connect(options?: { queueMax?: number; max?: number }): Store;
}

/** Few, since many suites share one server. */
const CONNECTIONS_MAX = 8;

const SHARED_MEMORY = '/dev/shm';
/** Bytes. Containers have 64 MB unless they ask for more. */
const SHARED_MEMORY_MIN = 2 ** 30;

const DATABASES = { sqlite: sqliteDatabase, postgres: postgresDatabase };

/**
 * Runs the suite on SQLite and on PostgreSQL. Each `open()` gives a store on a fresh database with its tables; who
 * needs several stores on one database, or one without tables, takes `database()`.
 */
export function describeOnEachStore(
  name: string,
  suite: (open: () => Promise<Store>, database: () => Promise<TestDatabase>) => void,
): void {
  describe.each(Object.entries(DATABASES))(`${name} (%s)`, (_kind, database) => {
    suite(() => openMigrated(database), database);
  });
}

/** A store on a fresh SQLite file with its tables, for suites in which the database makes no difference. */
export function openTestSqlite(): Promise<Store> {
  return openMigrated(sqliteDatabase);
}

async function openMigrated(database: () => Promise<TestDatabase>): Promise<Store> {
  const store = (await database()).connect();
  await migrate(store);
  return store;
}

/** A file that stores can be opened on. */
export async function sqliteDatabase(): Promise<TestDatabase> {
  const address = join(await temporaryFolder(await databasesFolder()), 'gateway.db');
  return { kind: 'sqlite', address, connect: (options) => closedAfterwards(openSqlite(address, options)) };
}

/** Memory where Linux has enough of it as a file system, since each unit of work waits for a sync to disk otherwise. */
async function databasesFolder(): Promise<string> {
  const { bavail = 0, bsize = 0 } = (await statfs(SHARED_MEMORY).catch(() => undefined)) ?? {};
  return bavail * bsize >= SHARED_MEMORY_MIN ? SHARED_MEMORY : tmpdir();
}

/** A schema of its own on the PostgreSQL server; the URL leads into it. */
export async function postgresDatabase(): Promise<TestDatabase> {
  const server = await postgresServer();
  const schema = `test_${randomBytes(8).toString('hex')}`;
  await administer(server, `create schema ${schema}`);
  afterwards(() => administer(server, `drop schema ${schema} cascade`));
  const url = new URL(server);
  url.searchParams.set('options', `-c search_path=${schema}`);
  // The `+` that URLSearchParams writes for a space would reach the server unchanged.
  const address = url.href.replaceAll('+', '%20');
  return {
    kind: 'postgres',
    address,
    connect: (options) => closedAfterwards(openPostgres(address, { max: CONNECTIONS_MAX, ...options })),
  };
}

async function postgresServer(): Promise<string> {
  const answer = await fetch(inject('postgres'));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

/** Kept from test to test, since a connection takes longer than what it is for. */
let administration: pg.Pool | undefined;

async function administer(url: string, statement: string): Promise<void> {
  administration ??= new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 2_000, allowExitOnIdle: true });
  await administration.query(statement);
}

function closedAfterwards(store: Store): Store {
  afterwards(() => store.close());
  return store;
}
