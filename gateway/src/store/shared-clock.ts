/**
 * The time that all processes on a database agree about, since claims and expiry go by it: the database's own on
 * PostgreSQL, and the machine's on SQLite, whose processes are all on it.
 */
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Store } from './store.ts';

const ASKED_EVERY_MS = 10_000;
/** An answer that took longer says little of the moment, unless all that is known came as late. */
const ANSWERED_WITHIN_MS = 200;

/** The database's clock: this machine's, set right every ten seconds until it is stopped. */
export async function sharedClock(store: Store, stopped: AbortSignal, own: Clock = systemClock): Promise<Clock> {
  return store.serverTime ? followingClock(store.serverTime, stopped, own) : own;
}

async function followingClock(serverTime: () => Promise<number>, stopped: AbortSignal, own: Clock): Promise<Clock> {
  let ahead = 0;
  let took = Number.POSITIVE_INFINITY;

  async function ask(): Promise<void> {
    const before = own.now();
    const time = await serverTime();
    const after = own.now();
    if (after - before > Math.max(took, ANSWERED_WITHIN_MS)) return;
    took = after - before;
    ahead = Math.round(time - (before + after) / 2);
  }

  async function follow(): Promise<void> {
    while (!stopped.aborted) {
      await own.until(own.now() + ASKED_EVERY_MS, stopped);
      // While it cannot be reached nothing is claimed, and what was known of it goes on.
      if (!stopped.aborted) await ask().catch(() => undefined);
    }
  }

  await ask();
  follow();
  return {
    now: () => own.now() + ahead,
    until: (time, signal) => own.until(time - ahead, signal),
  };
}
