import type { Clock } from '../../gateway/src/platform/clock.ts';

/** A fake clock that moves only when told to. */
export class ManualClock implements Clock {
  #now: number;
  readonly #sleepers = new Set<{ time: number; wake: () => void }>();
  constructor(now: number) {
    this.#now = now;
  }
  now(): number {
    return this.#now;
  }
  until(time: number, signal: AbortSignal): Promise<void> {
    if (time <= this.#now || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers.delete(sleeper);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { time, wake };
      this.#sleepers.add(sleeper);
      signal.addEventListener('abort', wake);
    });
  }
  /** Advances the time and wakes its waiters. */
  advance(ms: number): void {
    this.#now += ms;
    for (const { time, wake } of [...this.#sleepers]) if (time <= this.#now) wake();
  }
}
