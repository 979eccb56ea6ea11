/** Connections to an SQLite file. */
import type { Value } from '../store.ts';
import type { SyncConnection, SyncStatement } from './statements.ts';

/**
 * Node's SQLite. An older Node has none and would refuse an `import` of it, before src/index.ts could say which Node is
 * needed.
 */
export const DatabaseSync = process.getBuiltinModule('node:sqlite')?.DatabaseSync;
export type DatabaseSync = InstanceType<typeof DatabaseSync>;

/**
 * - The timeout comes first: changing the journal mode already waits for other processes.
 * - With synchronous=NORMAL, SQLite syncs the log before a checkpoint and the file after it. SyncedLog syncs commits.
 * - A checkpoint runs every 16 MiB of log, so that a page that many commits have changed is written back once.
 */
const SETTINGS = [
  'busy_timeout = 5000',
  'journal_mode = wal',
  'synchronous = normal',
  'foreign_keys = on',
  'wal_autocheckpoint = 4000',
];

/** A writer has a page cache (48 MiB), above all for the indexes whose entries come in no order. */
const WRITING = ['cache_size = -49152'];

/**
 * A reader memory-maps up to 2 GiB of the file instead of copying pages. Mapped pages count as process memory until the
 * system reclaims them. The reader's cache (8 MiB) is for pages still in the log.
 */
const READING = ['mmap_size = 2147418112', 'cache_size = -8192'];

/** Opens a connection that writes. */
export function connectWriter(file: string): SyncConnection {
  return open(file, [...SETTINGS, ...WRITING]);
}

/** Opens a connection for reading. */
export function connectReader(file: string): SyncConnection {
  return open(file, [...SETTINGS, ...READING]);
}

function open(file: string, settings: readonly string[]): SyncConnection {
  const db = new DatabaseSync(file);
  try {
    for (const setting of settings) db.exec(`pragma ${setting}`);
    return takesNumbers(db) ? db : withPositionalParameters(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Whether `?1` takes the first value. Node before 24.7 takes it for a name (https://github.com/nodejs/node/issues/59340). */
function takesNumbers(db: DatabaseSync): boolean {
  try {
    db.prepare('select ?1').get(1);
    return true;
  } catch {
    return false;
  }
}

/** The connection, with positional parameters in statements. */
export function withPositionalParameters(db: SyncConnection): SyncConnection {
  return {
    exec: (sql) => db.exec(sql),
    close: () => db.close(),
    get isTransaction() {
      return db.isTransaction;
    },
    prepare(sql): SyncStatement {
      const numbers = Array.from(sql.matchAll(/\?(\d+)/g), ([, number]) => Number(number) - 1);
      if (numbers.length === 0) return db.prepare(sql);
      const statement = db.prepare(sql.replaceAll(/\?\d+/g, '?'));
      const ordered = (values: readonly Value[]) => numbers.map((index) => values[index] ?? null);
      return {
        run: (...values) => statement.run(...ordered(values)),
        all: (...values) => statement.all(...ordered(values)),
        get: (...values) => statement.get(...ordered(values)),
      };
    },
  };
}
