/** Says what is going on, with its time. */

/** Runs an action and prints one line with its name and duration in seconds when it is done. */
export async function timed<T>(name: string, action: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await action();
  console.log(`${name.padEnd(24)} ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}
