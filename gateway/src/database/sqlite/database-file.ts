/** Creates the folder and file of an SQLite database, and explains unusable paths. */

import { closeSync, fsyncSync, mkdirSync, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UnusableDatabase } from '../store.ts';
import { DatabaseSync } from './connection.ts';
import { isDamage } from './translate-errors.ts';

/** Descriptions of errors by the system's code. */
const SYSTEM: Readonly<Record<string, string>> = {
  EISDIR: 'it is a directory; name a file in it',
  ENOTDIR: 'a part of the path is a file, where a directory is needed',
  EACCES: 'permission denied; let this user write to the file and to its directory',
  EPERM: 'permission denied; let this user write to the file and to its directory',
  EROFS: 'the file system is read-only',
  ENOENT: 'its directory cannot be created',
};

/** Descriptions of errors by SQLite's result code (https://www.sqlite.org/rescode.html). */
const SQLITE: Readonly<Record<number, string>> = {
  8: 'it is read-only; let this user write to the file and to its directory',
  11: 'the database is damaged; restore a backup',
  14: 'permission denied; let this user write to the file and to its directory',
  26: 'it is not an SQLite database; name another file',
};

/**
 * Creates the file, if it doesn't exist, for this user alone: it holds signing secrets and personal data. SQLite gives
 * its other files the same mode. Call it before the first connection: a process that closes the file loses all locks
 * that it has on it, SQLite's too. Returns the absolute path, without symbolic links. Throws UnusableDatabase.
 */
export function createPrivateFile(path: string): string {
  if (path === ':memory:') throw new UnusableDatabase('readers have a connection of their own; name a file');
  const file = resolve(path);
  describeFailures(() => {
    createFolder(dirname(file));
    closeSync(openSync(file, 'a', 0o600));
  });
  // SQLite appends the names of its other files to the path of the file itself, wherever a link to it is.
  return realpathSync(file);
}

/** Runs what opens the database. Throws UnusableDatabase when the path or the file's content makes that impossible. */
export function describeFailures<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    const { code = '', errcode = 0, message } = error as { code?: string; errcode?: number; message: string };
    // An extended result code has the primary one in its lowest byte.
    throw new UnusableDatabase(SYSTEM[code] ?? SQLITE[errcode & 0xff] ?? message, { cause: error });
  }
}

/**
 * Creates the folder and those above it. Not by mkdirSync's `recursive`, which loops forever where the system returns
 * ENOENT although the folder above exists, as in /proc.
 */
function createFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && dirname(folder) !== folder) {
      createFolder(dirname(folder));
      mkdirSync(folder);
    } else if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw code === 'EEXIST' ? Object.assign(new Error('not a directory'), { code: 'ENOTDIR' }) : error;
    }
  }
}

// Prevents a second gateway on an SQLite file. It is SQLite's lock on an empty file next to the database, which the
// operating system releases when the process ends for any reason. Commands don't take it.

/** SQLite's result code for a lock that another connection has. */
const BUSY = 5;

/** Takes the lock, and returns a function that releases it; undefined if another gateway has it. Throws UnusableDatabase. */
export function lockForGateway(path: string): (() => void) | undefined {
  const lock = new DatabaseSync(createPrivateFile(`${createPrivateFile(path)}-lock`));
  try {
    lock.exec('begin exclusive');
    return () => lock.close();
  } catch (error) {
    lock.close();
    const { errcode = 0 } = error as { errcode?: number };
    if ((errcode & 0xff) === BUSY) return undefined;
    return describeFailures(() => {
      throw error;
    });
  }
}

const DAMAGES_MAX = 10;

/** Whether the file is a database of a gateway, of any version. Throws UnusableDatabase if it isn't a database. */
export function isGatewayFile(file: string): boolean {
  return inspect(
    file,
    (database) => database.prepare("select 1 from sqlite_master where name = 'schema_version'").get() !== undefined,
  );
}

/**
 * Reads every page of the file and returns its errors, one line each. Doesn't compare indexes with tables. Throws
 * UnusableDatabase if the file isn't a database.
 */
export function listDamages(file: string): string[] {
  return inspect(file, (database) => {
    try {
      const found = database.prepare(`pragma quick_check(${DAMAGES_MAX})`).all();
      const lines = found.flatMap((row) => String(row['quick_check']).split('\n'));
      return lines.filter((line) => line !== 'ok' && line !== '');
    } catch (error) {
      if (isDamage(error)) return [(error as Error).message];
      throw error;
    }
  });
}

function inspect<T>(file: string, look: (database: DatabaseSync) => T): T {
  return describeFailures(() => {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return look(database);
    } finally {
      database.close();
    }
  });
}

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
