/**
 * Limits on how often is called (contract: `rate-limits`): each API key over all operations together, and each address
 * for the calls that it makes without a valid key, and on the payment pages. Counted by each process for itself.
 */
import { ProblemError } from '../contract/problems.ts';

export interface RateLimits {
  /** Counts a call of a valid key. Throws the problem `rate-limited` when there were too many. */
  countCall(key: string): void;
  /** Counts a call without a valid key, by its address. Throws like the other. */
  countStranger(address: string): void;
}

const WINDOW_MS = 1_000;

/** Limits that allow each caller so many calls in a second. */
export function createRateLimits(perSecond: number, now: () => number = () => performance.now()): RateLimits {
  const count = (windows: Windows) => (caller: string) => {
    if (windows.count(caller) > perSecond) {
      throw new ProblemError('rate-limited', 'Wait for as many seconds as Retry-After says.');
    }
  };
  return { countCall: count(new Windows(now)), countStranger: count(new Windows(now)) };
}

/** Counts by caller in windows that begin for all at once, so that nobody has to be remembered longer than that. */
class Windows {
  readonly #now: () => number;
  #counts = new Map<string, number>();
  #end = 0;
  constructor(now: () => number) {
    this.#now = now;
  }
  /** The number of the caller's calls in this window, this one included. */
  count(caller: string): number {
    const now = this.#now();
    if (now >= this.#end) {
      this.#counts = new Map();
      this.#end = now + WINDOW_MS;
    }
    const count = (this.#counts.get(caller) ?? 0) + 1;
    this.#counts.set(caller, count);
    return count;
  }
}
