/** Waits for other processes, in real time. */

const LOOK_EVERY_MS = 20;

/** Waits for a number of milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Repeats the check until it holds. Returns the elapsed milliseconds, or undefined after the timeout. */
export async function until(check: () => boolean | Promise<boolean>, deadlineMs: number): Promise<number | undefined> {
  const began = performance.now();
  for (;;) {
    const holds = await check();
    const tookMs = performance.now() - began;
    if (tookMs > deadlineMs) return undefined;
    if (holds) return tookMs;
    await pause(LOOK_EVERY_MS);
  }
}
