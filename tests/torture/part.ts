/** Parameters and results of a part of the torture. */

export interface Torture {
  readonly seed: number;
  /** An empty folder of this part. */
  readonly folder: string;
  /** Prints the progress. */
  readonly say: (text: string) => void;
}

export interface Result {
  /** Counts of operations, in order of display. */
  readonly counts: Record<string, number | string>;
  /** Losses and errors, one line each. Empty if the part passed. */
  readonly findings: readonly string[];
  /** Reason for skipping this part. */
  readonly skipped?: string;
}

/** Maximum number of recorded findings. Thousands of the same kind add no information. */
const FINDINGS_MAX = 50;

/** Collects findings. */
export class Findings {
  readonly lines: string[] = [];
  #more = 0;

  add(text: string): void {
    if (this.lines.length < FINDINGS_MAX) this.lines.push(text.slice(0, 1_000));
    else this.#more++;
  }

  /** Records the text unless the condition holds. */
  expect(condition: boolean, text: () => string): void {
    if (!condition) this.add(text());
  }

  /** Returns the lines and the number of omitted ones. */
  all(): string[] {
    return this.#more > 0 ? [...this.lines, `and ${this.#more} more`] : [...this.lines];
  }
}

/** Processes every item with limited concurrency. */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value);
    }),
  );
}
