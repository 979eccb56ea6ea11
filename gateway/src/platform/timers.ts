/** A process's own stopwatch and timers, which no database and no merchant shares: injected, so that a simulation runs them. */
import { clearTimeout, performance, setImmediate, setTimeout } from './native-timers.ts';

export interface Timers {
  /** Milliseconds since some moment; never goes back. */
  elapsed(): number;
  /** Calls `run` after this many milliseconds. Returns a function that prevents it. */
  after(ms: number, run: () => void): () => void;
  /** Calls `run` after the ready work of this turn of the event loop. */
  nextTurn(run: () => void): void;
}

/** Those of the machine. */
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
