/**
 * Retries transactions after a conflict. The database has rolled one of them back, even if that is the response to its
 * commit. Retries wait with increasing delays, so that conflicting transactions don't meet again.
 */
import { randomIds } from '../../platform/ids.ts';
import { systemTimers } from '../../platform/timers.ts';
import { StoreUnavailable } from '../store.ts';
import { readErrorCode } from './error-code.ts';

/** Serialization failure and deadlock. */
const CONFLICTS = new Set(['40001', '40P01']);
/** Milliseconds. The first repetition follows at once, the second one within the first pause. */
const PAUSE_MS = { first: 2, max: 32 };

export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(readErrorCode(error) ?? '');
}

/** Runs the work until it succeeds without a conflict, up to a number of attempts. Throws the last conflict. */
export async function repeatConflicts<T>(work: () => Promise<T>, attempts: number): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || attempt >= attempts) throw error;
      if (attempt > 1) await pause(Math.min(PAUSE_MS.first * 2 ** (attempt - 2), PAUSE_MS.max));
    }
  }
}

/** Throws StoreUnavailable in place of a conflict. */
export function throwUnavailable(error: unknown): never {
  if (!isConflict(error)) throw error;
  throw new StoreUnavailable('the database is too busy', { reason: 'busy', cause: error });
}

/** Waits for a random part of the time. */
function pause(maxMs: number): Promise<void> {
  return new Promise((resolve) => systemTimers.after(randomIds.fraction() * maxMs, resolve));
}
