/** An injectable clock, so that programs can test pauses and deadlines without waiting. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs a function later. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** Longest delay of setTimeout. */
const DELAY_MS_MAX = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    let waiting: (() => void) | undefined = run;
    const timer = setTimeout(() => waiting?.(), Math.min(ms, DELAY_MS_MAX));
    return () => {
      waiting = undefined;
      retire(timer);
    };
  },
};

type Timer = ReturnType<typeof setTimeout> & { unref?: () => void };
let retired: Timer | undefined;

/**
 * Clears the previous retired timer instead of this one. Node creates a list for the first timer of a duration and drops
 * it with the last, which sequential calls would cause each time, for a quarter of the overhead over fetch. A retired
 * timer has no effect and doesn't keep the process alive. Runtimes without `unref` clear it at once.
 */
function retire(timer: Timer): void {
  clearTimeout(retired);
  retired = timer;
  if (timer.unref) timer.unref();
  else clearTimeout(timer);
}

/**
 * Passes work a signal that aborts with the caller's signal or at the time limit. Then it rejects with the caller's reason,
 * or resolves with the result of `late`, even if the work ignores the signal. (The first versions of Node 20 lack
 * AbortSignal.any, and AbortSignal.timeout has no injectable clock.)
 */
export function limitTime<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal | null | undefined,
  work: (signal: AbortSignal) => Promise<T>,
  late: (ms: number) => T | Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const cancel = clock.after(ms, () => {
      controller.abort();
      end(resolve)(late(ms));
    });
    const ignore =
      signal &&
      onAbort(signal, () => {
        controller.abort(signal.reason);
        end(reject)(signal.reason);
      });
    const end =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        cancel();
        ignore?.();
        settle(value);
      };
    work(controller.signal).then(end(resolve), end(reject));
  });
}

/** Resolves after a pause. Rejects with the signal's reason as soon as it is aborted. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return limitTime<void>(
    clock,
    ms,
    signal,
    () => new Promise(() => {}),
    () => {},
  );
}

/** One abort listener for any number of waiters, since Node reports more than ten listeners as a leak. */
class Waiters extends Set<() => void> {
  handleEvent(): void {
    for (const run of this) run();
  }
}
const waiting = new WeakMap<AbortSignal, Waiters>();

/** Runs a function when the signal aborts. Returns a function that cancels this. */
function onAbort(signal: AbortSignal, run: () => void): () => void {
  const runs = waiting.get(signal) ?? new Waiters();
  waiting.set(signal, runs.add(run));
  signal.addEventListener('abort', runs);
  return () => {
    runs.delete(run);
    if (!runs.size) signal.removeEventListener('abort', runs);
  };
}
