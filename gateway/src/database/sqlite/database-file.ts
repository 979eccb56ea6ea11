/** Creates the folder and file of an SQLite database, and explains unusable paths. */
import { closeSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UnusableDatabase } from '../store.ts';

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
