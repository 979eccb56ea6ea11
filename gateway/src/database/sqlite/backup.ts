/** Copies of an SQLite database, taken while gateways use it. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from './node-sqlite.ts';

/**
 * Writes a copy of the current state, readable only by this user. The database isn't locked and may have any schema
 * version. The copy has payouts paused, because a gateway started on it could repeat later payouts. The copy appears
 * under its name once it is complete and synced.
 */
export function backupSqlite(file: string, target: string, now: number): void {
  const partial = `${target}.partial`;
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    // VACUUM INTO accepts an empty file, and keeps its mode.
    closeSync(openSync(partial, 'wx', 0o600));
    try {
      database.prepare('vacuum into ?').run(partial);
      pausePayouts(partial, now);
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

function pausePayouts(file: string, now: number): void {
  const copy = new DatabaseSync(file);
  try {
    // An older schema lacks the table.
    if (!copy.prepare("select 1 from sqlite_schema where name = 'payout_pause'").get()) return;
    copy
      .prepare('insert into payout_pause (id, paused_at, reason) values (1, ?, ?) on conflict (id) do nothing')
      .run(now, `Restored from the backup of ${new Date(now).toISOString()}.`);
  } finally {
    copy.close();
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
