/** Waiting for other processes: they live in real time. */

const LOOK_EVERY_MS = 20;

/** Waits for so many milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Repeats the check until it holds. Returns how long that took in milliseconds, or undefined when it never did. */
export async function until(check: () => boolean | Promise<boolean>, deadlineMs: number): Promise<number | undefined> {
  const began = performance.now();
  while (!(await check())) {
    if (performance.now() - began > deadlineMs) return undefined;
    await pause(LOOK_EVERY_MS);
  }
  return performance.now() - began;
}
