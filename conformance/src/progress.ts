/** Tells on stderr how far a long run is. */

const INTERVAL_MS = 2000;

/** Returns a function to be called after each step; it prints a line when two seconds have passed since the last. */
export function progress(
  total: number,
  print: (line: string) => void = console.error,
  now: () => number = () => performance.now(),
): () => void {
  let done = 0;
  let told = now();
  return () => {
    done += 1;
    if (now() - told < INTERVAL_MS) return;
    told = now();
    print(`${done} of ${total} checks done`);
  };
}
