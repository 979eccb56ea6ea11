/** Time is injected, so that tests advance it instead of waiting. */
import { clearTimeout, setTimeout, systemNow } from './native-timers.ts';
import type { Timers } from './timers.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves at the time, or when the signal is aborted. */
  until(time: number, signal: AbortSignal): Promise<void>;
}

/** The maximum delay of setTimeout. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1;

/** The machine's time. */
export const systemClock = createClock(systemNow);

/**
 * The machine's time at the call, which then advances monotonically, regardless of clock changes. It lags after the
 * machine was suspended.
 */
export function steadyClock({ elapsed }: Pick<Timers, 'elapsed'>, start = systemNow()): Clock {
  const began = elapsed();
  return createClock(() => start + Math.round(elapsed() - began));
}

function createClock(now: () => number): Clock {
  return {
    now,
    until(time, signal) {
      return new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, Math.min(Math.max(time - now(), 0), TIMEOUT_MAX_MS));
        signal.addEventListener('abort', done);
      });
    },
  };
}

/** The machine's time with an offset in milliseconds. */
export function shiftedClock(by: number): Clock {
  return {
    now: () => systemNow() + by,
    until: (time, signal) => systemClock.until(time - by, signal),
  };
}
