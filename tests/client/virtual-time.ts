/** Virtual time: whenever all work waits, the next timer fires. */
import type { Clock } from '../../client/src/index.ts';

/** Enough ticks for work that waits for no timer to continue. */
const TURNS = 8;

export class VirtualTime implements Clock {
  #now = Date.UTC(2026, 2, 2, 9);
  readonly #timers = new Set<{ at: number; run: () => void }>();

  now(): number {
    return this.#now;
  }
  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(ms, 0), run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }
  /** Number of pending timers. */
  get pending(): number {
    return this.#timers.size;
  }
  /** Advances the time until the promise is settled, and returns or throws its outcome. */
  async pass<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const done = () => {
      settled = true;
    };
    promise.then(done, done);
    for (;;) {
      for (let turn = 0; turn < TURNS && !settled; turn++) await new Promise((resolve) => setImmediate(resolve));
      if (settled) return promise;
      const next = [...this.#timers].toSorted((a, b) => a.at - b.at)[0];
      if (!next) throw new Error('nothing will ever settle this promise');
      this.#timers.delete(next);
      this.#now = next.at;
      next.run();
    }
  }
}
