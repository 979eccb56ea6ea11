/**
 * Time as this process experiences it. A stalled or busy machine usually delays the service too, so a stall doesn't
 * count as waiting, and time passes more slowly on a busy machine. By the wall clock, a response would be late before
 * either side could continue.
 */
import { setTimeout as pause } from 'node:timers/promises';

/** A longer step is a stall, and counts as this long. */
const STEP_MS_MAX = 500;
const TICK_MS = 100;
/** Interval between measurements of the slowdown, and the processor time that one takes: longer than a scheduler's slice. */
const MEASURE_MS = 1_000;
const BURST_MS = 8;
/** A wait ends even if the measurement is wrong. */
const SLOWDOWN_MAX = 10;

let ranMs = 0;
let readAt = performance.now();
let slowdown = 1;
let measuredAt = Number.NEGATIVE_INFINITY;

function awakeMs(): number {
  const now = performance.now();
  ranMs += Math.min(now - readAt, STEP_MS_MAX) / slowdown;
  readAt = now;
  if (now - measuredAt > MEASURE_MS) {
    slowdown = measureSlowdown();
    // The measurement doesn't count as waiting.
    measuredAt = readAt = performance.now();
  }
  return ranMs;
}

/** How much longer a task takes because other programs use the processors: 1 on a quiet machine. */
function measureSlowdown(): number {
  const before = readCpuMs();
  const startedAt = performance.now();
  for (;;) {
    const usedMs = readCpuMs() - before;
    const tookMs = performance.now() - startedAt;
    // A longer measurement blocks this process, and couldn't show more.
    if (usedMs < BURST_MS && tookMs < BURST_MS * SLOWDOWN_MAX) continue;
    return Math.min(Math.max(1, tookMs / usedMs), SLOWDOWN_MAX);
  }
}

function readCpuMs(): number {
  // Node 22 has only the usage of all threads.
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1_000;
}

export interface Deadline {
  passed(): boolean;
}

/** For polling loops, which have to ask at least twice a second. */
export function deadlineIn(ms: number): Deadline {
  const until = awakeMs() + ms;
  return { passed: () => awakeMs() > until };
}

/** Pauses between reads: the first, and the longest if they grow. */
export interface Pauses {
  readonly pauseMs: number;
  readonly pauseMsMax?: number;
}

const GROWTH = 1.6;

/** Reads until a value fits or the time is up. Resolves with the last value, and whether it fits. */
export async function poll<T>(
  read: () => Promise<T>,
  fits: (value: T) => boolean,
  { limitMs, pauseMs, pauseMsMax = pauseMs }: Pauses & { readonly limitMs: number },
): Promise<{ value: T; isFit: boolean }> {
  const deadline = deadlineIn(limitMs);
  for (let waitMs = pauseMs; ; waitMs = Math.min(waitMs * GROWTH, pauseMsMax)) {
    const value = await read();
    const isFit = fits(value);
    if (isFit || deadline.passed()) return { value, isFit };
    await pause(waitMs);
  }
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
