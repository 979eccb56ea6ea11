/**
 * Limits on the rate of requests (contract: `rate-limits`): by API key over all operations together, and by address for
 * requests without a valid key, for the payment pages, and for files. The four are counted separately, so that bad keys
 * from an address don't block its payment pages. Each process counts separately. See
 * `docs/decisions/0003-own-rate-limits.md`.
 */

import { toNetwork } from '../platform/cidr.ts';
import { performance } from '../platform/timers.ts';
import { ProblemWithHeaders } from './problems.ts';

/** Each method throws the problem `rate-limited` above the limit. */
export interface RateLimits {
  /** Counts a request with a valid key. */
  countCall(key: string): void;
  /**
   * Counts a request by its address before its key is looked up. Returns a function that reverts the count once the key
   * is found.
   */
  countUnknownKey(address: string): () => void;
  /** Counts a request to the payment pages, by its address. */
  countPageRequest(address: string): void;
  /** Counts a request for a file of the reference or for an unknown path, by its address. */
  countFileRequest(address: string): void;
}

const WINDOW_SECONDS = 1;
const WINDOW_MS = WINDOW_SECONDS * 1_000;
/** The limit per API key. */
export const KEY_LIMIT = 'key';

/** Thrown above a limit, which its headers name (IETF draft on RateLimit header fields). */
export class RateLimitExceeded extends ProblemWithHeaders {
  constructor(name: string, perSecond: number, seconds = WINDOW_SECONDS) {
    super('rate-limited', 'Retry after the number of seconds in `Retry-After`.', {
      'retry-after': String(seconds),
      ratelimit: `"${name}";r=0;t=${seconds}`,
      'ratelimit-policy': `"${name}";q=${perSecond};w=${WINDOW_SECONDS}`,
    });
  }
}

/** Limits per client and second. */
export function createRateLimits(perSecond: number, now: () => number = () => performance.now()): RateLimits {
  const counter = (name: string) => {
    const windows = new Windows(now);
    return (caller: string) => {
      const { number, revert } = windows.count(caller);
      if (number <= perSecond) return revert;
      revert();
      throw new RateLimitExceeded(name, perSecond);
    };
  };
  const byAddress = () => {
    const count = counter('address');
    return (address: string) => count(toNetwork(address));
  };
  return {
    countCall: counter(KEY_LIMIT),
    countUnknownKey: byAddress(),
    countPageRequest: byAddress(),
    countFileRequest: byAddress(),
  };
}

/** Counts by client in windows common to all, so that no client is stored longer than one window. */
class Windows {
  readonly #now: () => number;
  #counts = new Map<string, number>();
  #end = 0;
  constructor(now: () => number) {
    this.#now = now;
  }
  /**
   * Counts a request. Returns the client's requests in this window including it, and a function that reverts the count.
   */
  count(caller: string): { readonly number: number; readonly revert: () => void } {
    const now = this.#now();
    if (now >= this.#end) {
      this.#counts = new Map();
      this.#end = now + WINDOW_MS;
    }
    // The request may end in another window.
    const counts = this.#counts;
    const number = (counts.get(caller) ?? 0) + 1;
    counts.set(caller, number);
    return { number, revert: () => void counts.set(caller, (counts.get(caller) ?? 1) - 1) };
  }
}
