/** Decides what follows an attempt (contract: `retries`). Time and randomness are parameters. */

/** A response, or the reason why there is none. The body is present only if it is kept. */
export type SendResult = { readonly status: number; readonly body?: string | undefined } | Failure;

interface Failure {
  readonly failure: string;
  /** Only for the operator's log. */
  readonly detail?: string | undefined;
}

/** State of the event after an attempt. */
export type AttemptOutcome = 'delivered' | 'retried' | 'given_up' | 'stopped';

export interface AttemptVerdict {
  readonly outcome: AttemptOutcome;
  /** Time of the next attempt, in milliseconds since 1970. */
  readonly nextAt: number | undefined;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses, each from the end of an attempt to the next one. After the last attempt, the event is abandoned. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Pause of an event that couldn't be signed. It doesn't count as an attempt, so the event is never abandoned for it. */
export const UNSIGNED_PAUSE_MS = MINUTE;

/** The endpoint has to respond within this time. */
export const ANSWER_WITHIN_MS = 15 * SECOND;

/** Pauses vary by up to this fraction, so that events that failed together aren't retried together. */
const JITTER = 0.1;

/** An endpoint that returns this status gets no more events. */
const GONE = 410;

/** Whether the endpoint has accepted the event. */
export function isDelivered(result: SendResult): boolean {
  return 'status' in result && result.status >= 200 && result.status < 300;
}

/** Decides what follows an attempt. `made` is the number of attempts including this one; `random` is in [0, 1). */
export function judgeAttempt(result: SendResult, made: number, now: number, random: number): AttemptVerdict {
  if (isDelivered(result)) return { outcome: 'delivered', nextAt: undefined };
  if ('status' in result && result.status === GONE) return { outcome: 'stopped', nextAt: undefined };
  const delay = RETRY_DELAYS_MS[made - 1];
  if (delay === undefined) return { outcome: 'given_up', nextAt: undefined };
  return { outcome: 'retried', nextAt: now + Math.round(delay * (1 - JITTER + 2 * JITTER * random)) };
}

/** The result for the store and the log, without any text from the endpoint. */
export function describeResult(result: SendResult): string {
  return 'status' in result ? `responded ${result.status}` : result.failure;
}
