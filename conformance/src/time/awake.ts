/**
 * Time in which this process ran. A machine that stalls usually holds up the service too, so a stall uses up no waiting
 * time: by the wall clock, a response would be late before either side could continue.
 */

/** Longer steps are a stall, and count as this long. */
const STEP_MS_MAX = 500;
const TICK_MS = 100;

let ranMs = 0;
let readAt = performance.now();

function awakeMs(): number {
  const now = performance.now();
  ranMs += Math.min(now - readAt, STEP_MS_MAX);
  readAt = now;
  return ranMs;
}

export interface Deadline {
  passed(): boolean;
}

/** For loops that poll; they have to ask at least twice a second. */
export function deadlineIn(ms: number): Deadline {
  const until = awakeMs() + ms;
  return { passed: () => awakeMs() > until };
}

/** Calls `late` after so many milliseconds, unless the process has nothing else to do. Returns what prevents it. */
export function timeoutWhileAwake(ms: number, late: () => void): () => void {
  const { passed } = deadlineIn(ms);
  const timer = setInterval(
    () => {
      if (!passed()) return;
      clearInterval(timer);
      late();
    },
    Math.min(ms, TICK_MS),
  );
  timer.unref();
  return () => clearInterval(timer);
}
