/**
 * Detects a database restored from a backup. It lacks payouts made after the backup, so a merchant that repeats such an
 * order would be paid twice. Payouts are paused until operators have compared the database with the channels.
 */

import { pausePayouts, resumePayouts } from '../channels/pauses.ts';
import { optional } from '../database/row-mapper.ts';
import type { Database, Store } from '../database/store.ts';
import type { OperatorName } from '../operators/operators.ts';

/** Pauses payouts if the database isn't where a gateway has last started on it. Returns whether it was restored. */
export async function pauseIfRestored(store: Store, now: number): Promise<boolean> {
  const location = await store.location?.();
  if (location === undefined) return false;
  return store.unit(async (db) => {
    const known = await recordedLocation(db);
    if (known === location) return false;
    await recordLocation(db, location);
    if (known === undefined) return false;
    await pausePayouts(db, { by: undefined, at: now, reason: 'The database was restored, or its standby promoted.' });
    return true;
  });
}

export interface Restore {
  /** Where the database is now. */
  readonly location: string | undefined;
  /** Whether the database has every committed write. Otherwise payouts are paused. */
  readonly isComplete: boolean;
  readonly by: OperatorName;
  readonly at: number;
}

export async function recordRestore(db: Database, { location, isComplete, by, at }: Restore): Promise<void> {
  if (location !== undefined) await recordLocation(db, location);
  if (isComplete) await resumePayouts(db);
  else await pausePayouts(db, { by, at, reason: 'The database was restored.' });
}

async function recordedLocation(db: Database): Promise<string | undefined> {
  const row = await db.get('select location from database_mode where id = 1 for update');
  return row && optional('location', String)(row);
}

async function recordLocation(db: Database, location: string): Promise<void> {
  await db.run('update database_mode set location = ? where id = 1', location);
}
