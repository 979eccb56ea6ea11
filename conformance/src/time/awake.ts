/**
 * Time while this process runs. A stalled machine usually stalls the service too, so a stall doesn't count as waiting. By
 * the wall clock, a response would be late before either side could continue.
 */

/** A longer step is a stall, and counts as this long. */
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

/** For polling loops, which have to ask at least twice a second. */
export function deadlineIn(ms: number): Deadline {
  const until = awakeMs() + ms;
  return { passed: () => awakeMs() > until };
}

/** Calls `late` after the time, unless the process is idle. Returns a function that cancels it. */
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
