/** The retry policy: which calls are repeated, after what, and when. */
import { creationPaths } from '../../generated/statuses.ts';
import type { PartialOptions } from './options.ts';

interface Retry {
  /** Attempts in all, 3 by default; 1 switches retries off. */
  attempts: number;
  /** Time for all attempts and pauses together, 60 s by default. No attempt begins within its last tenth. */
  totalMs: number;
  /** Pause before the second attempt, 500 ms by default; it doubles with each further one. */
  pauseMs: number;
  /** Longest pause, 8 s by default. A Retry-After may ask for longer. */
  pauseMsMax: number;
  /** Repeat creations, as by default. Switch it off for a service where a repeated merchant_order_id is not safe. */
  creations: boolean;
  /** A number from 0 up to 1, for the jitter. */
  random: () => number;
}
export type RetryOptions = PartialOptions<Retry>;

export const RETRY_DEFAULTS: Retry = {
  attempts: 3,
  totalMs: 60_000,
  pauseMs: 500,
  pauseMsMax: 8_000,
  creations: true,
  random: Math.random,
};

/** Statuses of temporary failures. */
const PASSING = [429, 502, 503, 504];

/** True for a status after which the same call may succeed. */
export function isPassing(status: number): boolean {
  return PASSING.includes(status);
}

/**
 * Reading changes nothing, and a creation with the same merchant_order_id never moves money twice. Everything else, such
 * as clarify and confirm, is sent once: after a failure nobody knows whether it has been done.
 */
export function mayRepeat(method: string, path: string, { attempts, creations }: Retry): boolean {
  const safe = method === 'GET' || (creations && (creationPaths as readonly string[]).includes(path));
  return safe && attempts > 1;
}

/** Milliseconds to wait after an attempt (1 is the first), at least as long as the response asks for. */
export function pauseAfter(
  attempt: number,
  answer: Response | undefined,
  now: number,
  { pauseMs, pauseMsMax, random }: Retry,
): number {
  const backoff = Math.min(pauseMs * 2 ** (attempt - 1), pauseMsMax) * (0.5 + random() / 2);
  return Math.max(backoff, retryAfterMs(answer, now));
}

/** Milliseconds of a response's Retry-After, which is a number of seconds or a date; 0 for any other value. */
export function retryAfterMs(answer: Response | undefined, now: number): number {
  const value = answer?.headers.get('retry-after');
  return Number(value) * 1_000 || Date.parse(`${value}`) - now || 0;
}
