/** The retry policy: which calls are repeated, when, and after which outcomes. */
import { creationPaths } from '../../generated/statuses.ts';
import type { PartialOptions } from './options.ts';

interface Retry {
  /** Maximum number of attempts, 3 by default. 1 switches retries off. */
  attempts: number;
  /** Time for all attempts and pauses together, 60 s by default. No attempt begins within its last tenth. */
  totalMs: number;
  /** Pause before the second attempt, 500 ms by default. It doubles with each further attempt. */
  pauseMs: number;
  /** Longest pause, 8 s by default. A Retry-After may ask for a longer one. */
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

/** Statuses below 500 after which the same request may succeed. */
const TRANSIENT = [408, 425, 429];

/** True for a status after which the same request may succeed. */
export function isTransient(status: number): boolean {
  return status >= 500 || TRANSIENT.includes(status);
}

/**
 * True for a status after which the service may have acted on a POST. A proxy can send 408, 502, 503 or 504 after it
 * forwarded the request, and a 409 means that an earlier request was carried out.
 */
export function leavesUnknown(status: number): boolean {
  return status >= 500 || status === 408 || status === 409;
}

/**
 * Reads have no effect, and a creation with the same merchant_order_id never moves money twice. Clarify and confirm are
 * sent once: after a failure it is unknown whether they took effect.
 */
export function isRepeatable(method: string, path: string, { attempts, creations }: Retry): boolean {
  const safe = method === 'GET' || (creations && (creationPaths as readonly string[]).includes(path));
  return safe && attempts > 1;
}

/** Milliseconds to wait after an attempt (1 is the first), at least as long as the response asks for. */
export function pauseAfter(
  attempt: number,
  response: Response | undefined,
  now: number,
  { pauseMs, pauseMsMax, random }: Retry,
): number {
  const backoff = Math.min(pauseMs * 2 ** (attempt - 1), pauseMsMax) * (0.5 + random() / 2);
  return Math.max(backoff, retryAfterMs(response, now));
}

/**
 * Milliseconds of a response's Retry-After, which is a number of seconds or a date; 0 for any other value. A date is by the
 * clock of the service, which the Date header shows.
 */
export function retryAfterMs(response: Response | undefined, now: number): number {
  const value = response?.headers.get('retry-after');
  const sentAt = Date.parse(`${response?.headers.get('date')}`) || now;
  return Number(value) * 1_000 || Date.parse(`${value}`) - sentAt || 0;
}
