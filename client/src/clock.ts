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
    const timer = setTimeout(run, Math.min(ms, DELAY_MS_MAX));
    return () => clearTimeout(timer);
  },
};

/** Tells an end of time from an abort by the caller. */
export const OUT_OF_TIME = Symbol('out of time');

/**
 * Gives work a signal that ends with the caller's or when the time is up. Rejects with the caller's reason or with
 * OUT_OF_TIME at that moment, whether the work listens or not. (AbortSignal.any is missing in the first versions of
 * Node 20, and AbortSignal.timeout knows no other clock.)
 */
export async function limit<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal | null | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const inner = controller.signal;
  const forward = () => controller.abort(signal?.reason);
  const cancel = clock.after(ms, () => controller.abort(OUT_OF_TIME));
  signal?.addEventListener('abort', forward);
  const ended = new Promise<never>((_, reject) => {
    inner.addEventListener('abort', () => reject(inner.reason));
  });
  try {
    return await Promise.race([work(inner), ended]);
  } finally {
    cancel();
    signal?.removeEventListener('abort', forward);
  }
}

/** Resolves after a pause. Rejects with the signal's reason as soon as it is aborted. */
export async function sleep(clock: Clock, ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  try {
    await limit(clock, ms, signal, () => new Promise(() => {}));
  } catch (reason) {
    if (reason !== OUT_OF_TIME) throw reason;
  }
}
