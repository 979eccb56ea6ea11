/**
 * A process's own stopwatch and timers, independent of databases and merchants. Injected, so that a simulation controls
 * them.
 */
import { clearTimeout, performance, setImmediate, setTimeout } from './native-timers.ts';

export interface Timers {
  /** Milliseconds from an arbitrary time. Monotonic. */
  elapsed(): number;
  /** Calls `run` after this many milliseconds. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Calls `run` after the ready work of this turn of the event loop. */
  nextTurn(run: () => void): void;
}

/** The machine's timers. */
export const systemTimers: Timers = {
  elapsed: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  nextTurn(run) {
    setImmediate(run);
  },
};
