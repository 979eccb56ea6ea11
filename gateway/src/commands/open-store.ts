/** The store that the settings name. */
import { UserError } from '../../../contract/src/cli.ts';
import type { Config } from '../config.ts';
import { migrate } from '../store/migrate.ts';
import { openPostgres } from '../store/postgres/postgres-store.ts';
import { openSqlite } from '../store/sqlite/sqlite-store.ts';
import { type Store, StoreUnavailable, UnusableDatabase } from '../store/store.ts';

const CHECK_FILE = 'Check that the file and its folder can be written, that the disk has room, and DATABASE_FILE.';

/** Opens the store and brings its tables up to date. Throws a UserError when it cannot be reached. */
export async function openStore(config: Config): Promise<Store> {
  const store = config.databaseUrl
    ? openPostgres(config.databaseUrl, { max: config.databaseConnections })
    : openFile(config.databaseFile);
  try {
    await migrate(store);
    return store;
  } catch (error) {
    await store.close().catch(() => undefined);
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new UserError(
      `${describeStore(config)} cannot be reached: ${(error.cause as Error | undefined)?.message ?? error.message}\n${config.databaseUrl ? 'Check DATABASE_URL, and that the server runs.' : CHECK_FILE}`,
    );
  }
}

/** The store in words, without the password. */
export function describeStore(config: Config): string {
  if (!config.databaseUrl) return `SQLite in ${config.databaseFile}`;
  const { host, pathname } = new URL(config.databaseUrl);
  return `PostgreSQL at ${host}${pathname}`;
}

function openFile(file: string): Store {
  try {
    return openSqlite(file);
  } catch (error) {
    if (!(error instanceof UnusableDatabase)) throw error;
    throw new UserError(`${file} cannot be opened: ${error.message}\nCheck DATABASE_FILE.`);
  }
}
