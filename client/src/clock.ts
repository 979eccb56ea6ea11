/** Time, injectable, so that programs can test pauses and deadlines without waiting. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs something later. Returns a function that prevents it. */
  after(ms: number, run: () => void): () => void;
}

/** setTimeout takes no longer delays than this. */
const DELAY_MS_MAX = 2 ** 31 - 1;

/** The machine's own time. */
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
 * Clears the timer that was retired before this one. Node keeps timers of one length in a list, which it makes for the
 * first and drops with the last; calls one after the other would have it do so each time, for a quarter of what a call
 * costs beyond fetch. A retired timer does nothing and keeps no process alive; where it would, it is cleared at once.
 */
function retire(timer: Timer): void {
  clearTimeout(retired);
  retired = timer;
  if (timer.unref) timer.unref();
  else clearTimeout(timer);
}

/**
 * Gives work a signal that ends with the caller's or when the time is up. At that moment it rejects with the caller's
 * reason, or resolves with what `late` gives, whether the work listens or not. (AbortSignal.any is missing in the first
 * versions of Node 20, and AbortSignal.timeout knows no other clock.)
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

/** Waits for an abort, as one listener for any number of waiters, since Node takes more than ten for a leak. */
class Waiters extends Set<() => void> {
  handleEvent(): void {
    for (const run of this) run();
  }
}
const waiting = new WeakMap<AbortSignal, Waiters>();

/** Runs something when the signal is aborted. Returns a function that prevents it. */
function onAbort(signal: AbortSignal, run: () => void): () => void {
  const runs = waiting.get(signal) ?? new Waiters();
  waiting.set(signal, runs.add(run));
  signal.addEventListener('abort', runs);
  return () => {
    runs.delete(run);
    if (!runs.size) signal.removeEventListener('abort', runs);
  };
}
