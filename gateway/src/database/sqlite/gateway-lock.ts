/**
 * Prevents a second gateway on an SQLite file. It is SQLite's lock on an empty file next to the database, which the
 * operating system releases when the process ends for any reason. Commands don't take it.
 */
import { createPrivateFile, describeFailures } from './database-file.ts';
import { DatabaseSync } from './node-sqlite.ts';

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
