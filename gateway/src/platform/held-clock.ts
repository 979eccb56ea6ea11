/**
 * A clock that doesn't follow when the machine's jumps ahead: everything open would expire at once, and nothing brings it
 * back. Time continues at its own pace instead, until the clock returns, or for an hour. After the machine was suspended, its
 * clock is right, and is followed.
 */
import type { Clock } from './clock.ts';
import type { Timers } from './timers.ts';

/** Corrections below this are followed. */
const STEP_MS = 10_000;
/** The clock is followed after this. By then, what was open at the jump has ended or expired in its own time. */
const HELD_MS_MAX = 3_600_000;

export type HoldChange = 'held' | 'returned' | 'followed';

export interface HoldOptions {
  readonly timers: Pick<Timers, 'elapsed'>;
  /** Milliseconds since the start of the machine, with those in which it was suspended. */
  readonly sinceBoot: () => number;
  /** Called with the milliseconds by which the clock is ahead of the time that is kept, or was before the change. */
  readonly onChange: (change: HoldChange, ms: number) => void;
}

export interface HeldClock extends Clock {
  /** Milliseconds by which the machine's clock is ahead; 0 while it is followed. */
  heldMs(): number;
}

/** The clock without its jumps ahead from now on. */
export function holdJumps(clock: Clock, { timers, sinceBoot, onChange }: HoldOptions): HeldClock {
  let last = { time: clock.now(), elapsed: timers.elapsed() };
  /** Grows by the time in which the machine is suspended, since timers don't run then. */
  let suspended = sinceBoot() - last.elapsed;
  /** The sum of the steps. Below zero after a step back, so that the step that corrects it is not a jump. */
  let ahead = 0;
  let steppedAt = 0;
  let held = 0;

  function hold(ms: number, change: HoldChange): void {
    if (ms === held) return;
    onChange(change, Math.max(held, ms));
    held = ms;
  }

  function onStep(step: number, elapsed: number): void {
    const before = suspended;
    suspended = sinceBoot() - elapsed;
    const slept = step > 0 ? Math.max(suspended - before, 0) : 0;
    if (Math.abs(step - slept) < STEP_MS) return;
    ahead = Math.round(ahead + step - slept);
    steppedAt = elapsed;
    if (ahead >= STEP_MS) hold(ahead, 'held');
    else hold(0, 'returned');
  }

  function now(): number {
    const time = clock.now();
    const elapsed = timers.elapsed();
    const step = time - last.time - (elapsed - last.elapsed);
    last = { time, elapsed };
    if (Math.abs(step) >= STEP_MS) onStep(step, elapsed);
    if (ahead !== 0 && elapsed - steppedAt >= HELD_MS_MAX) {
      ahead = 0;
      hold(0, 'followed');
    }
    return time - held;
  }

  return {
    now,
    until: (time, signal) => clock.until(time + (clock.now() - now()), signal),
    heldMs() {
      now();
      return held;
    },
  };
}
