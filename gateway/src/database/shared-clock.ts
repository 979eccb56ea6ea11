/**
 * The time shared by all processes on a database, for claims and expiry: the server's on PostgreSQL, and the machine's
 * on SQLite, whose processes all run on it.
 */
import { type Clock, steadyClock, systemClock } from '../platform/clock.ts';
import { systemTimers } from '../platform/timers.ts';
import type { Store } from './store.ts';

const ASKED_EVERY_MS = 10_000;
/** A slower response is too imprecise, unless every earlier one was as slow. */
const PROMPT_MS = 200;

export interface SharedClockOptions {
  readonly own?: Clock | undefined;
  /** Gets each time that the server returns. */
  readonly onServerTime?: ((time: number) => void) | undefined;
}

/** The clock of the store by a single reading of the server's time, for a command. */
export function readSharedClock(store: Pick<Store, 'serverTime'>): Promise<Clock> {
  return sharedClock(store, AbortSignal.abort());
}

/**
 * The store's clock. On PostgreSQL, it is synchronized with the server every ten seconds until stopped. Changes of the
 * local clock have no effect.
 */
export async function sharedClock(
  { serverTime }: Pick<Store, 'serverTime'>,
  stopped: AbortSignal,
  { own = serverTime ? steadyClock(systemTimers) : systemClock, onServerTime }: SharedClockOptions = {},
): Promise<Clock> {
  return serverTime ? followingClock(serverTime, stopped, { own, onServerTime }) : own;
}

async function followingClock(
  serverTime: () => Promise<number>,
  stopped: AbortSignal,
  { own, onServerTime }: SharedClockOptions & { readonly own: Clock },
): Promise<Clock> {
  let ahead = 0;
  let took = Number.POSITIVE_INFINITY;

  async function ask(): Promise<void> {
    const before = own.now();
    const time = await serverTime();
    const after = own.now();
    if (after - before > Math.max(took, PROMPT_MS)) return;
    took = after - before;
    ahead = Math.round(time - (before + after) / 2);
    onServerTime?.(after + ahead);
  }

  async function follow(): Promise<void> {
    while (!stopped.aborted) {
      await own.until(own.now() + ASKED_EVERY_MS, stopped);
      // While the server is unreachable, no work is claimed and the last offset is kept.
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
