/** Time is injected, so that tests advance it instead of waiting. */
import { clearTimeout, setTimeout, systemNow, type Timers } from './timers.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves at the time, or when the signal is aborted. */
  until(time: number, signal: AbortSignal): Promise<void>;
}

/** The maximum delay of setTimeout. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1;

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

// Detects clock jumps: a correction of a wrong time, or a correct time that became wrong.

type WatchedClock = 'machine' | 'database';

/** A step of a clock that no elapsed time explains. */
export interface ClockJump {
  readonly clock: WatchedClock;
  /** Negative if the clock was set back. */
  readonly ms: number;
}

/** Smaller corrections are normal. */
const JUMP_MS = 10_000;
/** A jump is recent for this long. */
const RECENT_MS = 60_000;
const OBSERVED_EVERY_MS = 10_000;

export class ClockJumps {
  readonly #uptime: () => number;
  readonly #onJump: (jump: ClockJump) => void;
  readonly #offsets = new Map<WatchedClock, number>();
  #last: { readonly jump: ClockJump; readonly at: number } | undefined;

  /** `uptime` is the machine's, in milliseconds. It includes the time in which the machine was suspended. */
  constructor(uptime: () => number, onJump: (jump: ClockJump) => void) {
    this.#uptime = uptime;
    this.#onJump = onJump;
  }

  /** Compares the time of a clock with its previous reading. */
  observe(clock: WatchedClock, time: number): void {
    const uptime = this.#uptime();
    const offset = time - uptime;
    const ms = Math.round(offset - (this.#offsets.get(clock) ?? offset));
    this.#offsets.set(clock, offset);
    if (Math.abs(ms) < JUMP_MS) return;
    this.#last = { jump: { clock, ms }, at: uptime };
    this.#onJump(this.#last.jump);
  }

  /** The last jump, for a minute. */
  recent(): ClockJump | undefined {
    return this.#last && this.#uptime() - this.#last.at < RECENT_MS ? this.#last.jump : undefined;
  }
}

/** Observes the machine's clock every ten seconds until the signal is aborted. */
export async function watchMachineClock(jumps: ClockJumps, machine: Clock, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    jumps.observe('machine', machine.now());
    await machine.until(machine.now() + OBSERVED_EVERY_MS, stopped);
  }
}
