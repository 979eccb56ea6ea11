/** Time is injected, so that tests move it instead of waiting. */
import { clearTimeout, setTimeout, systemNow } from './native-timers.ts';
import type { Timers } from './timers.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves when the time has come, or when the signal is aborted. */
  until(time: number, signal: AbortSignal): Promise<void>;
}

/** setTimeout takes no longer delays than this. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1;

/** The machine's own time. */
export const systemClock = createClock(systemNow);

/**
 * The machine's time at the call, which then continues at its own pace, whatever happens to the machine's clock. It is behind
 * once the machine was suspended.
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

/** The machine's own time and as many milliseconds more, or less. */
export function shiftedClock(by: number): Clock {
  return {
    now: () => systemNow() + by,
    until: (time, signal) => systemClock.until(time - by, signal),
  };
}
