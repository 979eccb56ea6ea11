/** The books of a database and of archives of it, at one moment. */
import { UserError } from '../../../contract/src/cli.ts';
import type { GatewayConfig } from '../config/settings.ts';
import { type Archive, archiveOf, archivesOf } from '../store/archive/archives.ts';
import type { Database, Store } from '../store/engine/store.ts';
import { configOf, describeStore, withExistingStore } from './open-store.ts';

export interface BooksOptions {
  readonly config: GatewayConfig;
  /** Files or URLs of archives. */
  readonly archives: readonly string[];
}

export interface Books {
  readonly live: Database;
  readonly archives: readonly { readonly archive: Archive; readonly db: Database }[];
  /** All of these. What is in several of them was being archived; the first one counts. */
  readonly databases: readonly [Database, ...Database[]];
  /** Archives of the database that aren't among them. */
  readonly unread: readonly Archive[];
}

/** Does work on the books. Gateways may write meanwhile, and `archive` may run. */
export async function withBooks<T>(
  store: Store,
  { config, archives }: BooksOptions,
  work: (books: Books) => Promise<T>,
): Promise<T> {
  let reads = 0;
  // The database first: what is archived in between is read twice then, and never missed.
  return store.snapshot(async (live) => {
    // PostgreSQL repeats what conflicts, as on a standby, but what has been printed can't be taken back.
    if (++reads > 1) throw new UserError('The database server ended the read before its end. Run the command again.');
    const known = await archivesOf(live);
    const open = async (rest: readonly string[], opened: Books['archives']): Promise<T> => {
      const [next, ...others] = rest;
      if (next !== undefined)
        return withArchive(store, configOf(config, next), (one) =>
          open(others, opened.some(({ archive }) => archive.id === one.archive.id) ? opened : [...opened, one]),
        );
      const unread = known.filter(({ id }) => !opened.some(({ archive }) => archive.id === id));
      return work({ live, archives: opened, databases: [live, ...opened.map(({ db }) => db)], unread });
    };
    return open(archives, []);
  });
}

/** A line about the archives that weren't read; empty without any. */
export function describeUnread(unread: readonly Archive[]): string {
  const names = unread.map(({ name }) => name).join(', ');
  return names && `Not read: ${names}. Give archives with --archive.\n`;
}

function withArchive<T>(
  store: Store,
  config: GatewayConfig,
  work: (archive: Books['archives'][number]) => Promise<T>,
): Promise<T> {
  return withExistingStore(config, (target) =>
    target.snapshot(async (db) => {
      const archive = await archiveOf(db);
      const known = await archivesOf(store.read);
      if (archive && known.some(({ id }) => id === archive.id)) return work({ archive, db });
      throw new UserError(`Can't read ${describeStore(config)}: it is not an archive of this database.`, 2);
    }),
  );
}
