/** Connections to an SQLite file. */
import { DatabaseSync } from './node-sqlite.ts';

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
 * A reader maps the file (up to 2 GiB of it) instead of copying pages. Mapped pages count as memory of the process until
 * the system reclaims them. The reader's own cache (8 MiB) is for pages that are still in the log.
 */
const READING = ['mmap_size = 2147418112', 'cache_size = -8192'];

/** Opens a connection that writes. */
export function connect(file: string): DatabaseSync {
  return open(file, [...SETTINGS, ...WRITING]);
}

/** Opens a connection for reading. */
export function connectReader(file: string): DatabaseSync {
  return open(file, [...SETTINGS, ...READING]);
}

function open(file: string, settings: readonly string[]): DatabaseSync {
  const db = new DatabaseSync(file);
  try {
    for (const setting of settings) db.exec(`pragma ${setting}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
