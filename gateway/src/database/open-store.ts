/** Opens the store at an address, and loads only its driver. */
import type { Store } from './store.ts';

/** Opens an SQLite file, which is created if it is missing, or a postgres:// URL. Throws UnusableDatabase for a file that can't be used. */
export async function openStore(name: string): Promise<Store> {
  if (/^postgres(ql)?:/.test(name)) {
    const { openPostgres } = await import('./postgres/postgres-store.ts');
    return openPostgres(name);
  }
  const { openSqlite } = await import('./sqlite/sqlite-store.ts');
  return openSqlite(name);
}
