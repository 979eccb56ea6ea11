/**
 * Whether a database is live. It is recorded by the first start or API key, and applies to every later process and
 * command: money from a sandbox must never be paid out.
 */

import { flag } from '../database/row-mapper.ts';
import type { Database } from '../database/store.ts';

/** `live` if money is real, `test` otherwise. */
export type Mode = 'live' | 'test';

export const MODES: readonly Mode[] = ['live', 'test'];

/** The mode that accepts keys of a kind. */
export function toMode({ live }: { readonly live: boolean }): Mode {
  return live ? 'live' : 'test';
}

/** An operation requires the database's other mode. */
export class WrongMode extends Error {
  /** The mode of the database. */
  readonly mode: Mode;
  constructor(mode: Mode) {
    super(mode === 'live' ? 'the database is live' : 'the database is for tests');
    this.mode = mode;
  }
}

/** The recorded mode. */
export async function readMode(db: Database): Promise<Mode | undefined> {
  const row = await db.get('select live from database_mode where id = 1');
  return row && toMode({ live: flag('live')(row) });
}

/** Throws WrongMode if the database has the other mode. */
export async function checkMode(db: Database, mode: Mode): Promise<void> {
  const found = await readMode(db);
  if (found !== undefined && found !== mode) throw new WrongMode(found);
}

/** Checks the mode, and records it in a database without one. */
export async function requireMode(db: Database, mode: Mode): Promise<void> {
  await checkMode(db, mode);
  await recordMode(db, mode);
}

/** Records the mode. Throws WrongMode if the database has the other one. */
export async function recordMode(db: Database, mode: Mode): Promise<void> {
  const live = mode === 'live' ? 1 : 0;
  await db.run('insert into database_mode (id, live) values (1, ?) on conflict do nothing', live);
  await checkMode(db, mode);
}
