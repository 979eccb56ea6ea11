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

/** Resolves after a pause. Rejects with the signal's reason as soon as it is aborted. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort);
  });
}

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
  if (signal?.aborted) throw signal.reason;
  const controller = new AbortController();
  let forward = () => {};
  const ended = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
    forward = () => controller.abort(signal?.reason);
  });
  signal?.addEventListener('abort', forward);
  const cancel = clock.after(ms, () => controller.abort(OUT_OF_TIME));
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    cancel();
    signal?.removeEventListener('abort', forward);
  }
}
