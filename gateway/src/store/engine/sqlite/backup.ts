/** Copies of an SQLite database, taken while gateways use it. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from './node-sqlite.ts';

/**
 * Writes a copy as of now, readable by this user alone. The database isn't locked meanwhile, and may be of any schema
 * version. The copy gets its name once it is complete and on the disk.
 */
export function backupSqlite(file: string, target: string): void {
  const partial = `${target}.partial`;
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    // VACUUM INTO accepts an empty file, and keeps its mode.
    closeSync(openSync(partial, 'wx', 0o600));
    try {
      database.prepare('vacuum into ?').run(partial);
      sync(partial);
      renameSync(partial, target);
      sync(dirname(target));
    } finally {
      rmSync(partial, { force: true });
    }
  } finally {
    database.close();
  }
}

function sync(path: string): void {
  // Windows needs the right to write for it, and can't open a directory.
  const isDirectory = statSync(path).isDirectory();
  if (isDirectory && process.platform === 'win32') return;
  const descriptor = openSync(path, isDirectory ? 'r' : 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
