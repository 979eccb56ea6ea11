/** Detects clock jumps: a correction of a wrong time, or a correct time that became wrong. */
import type { Clock } from './clock.ts';

export type WatchedClock = 'machine' | 'database';

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
