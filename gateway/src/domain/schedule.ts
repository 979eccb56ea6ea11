/** When the gateway acts on a transaction next, and how it remembers that a channel may have it. */
import type { Step, Transaction } from './transaction.ts';

/** How long a call of the channel belongs to the process that began it, in milliseconds: longer than any call takes. */
const CALL_LEASE_MS = 6_000;
/** Pauses before a channel that did not respond is called again: doubled each time, in milliseconds. */
const BACKOFF_MS = { first: 2_000, max: 60_000 };

/** The channel has responded, and nothing is due until a time, or ever if the time is undefined. */
export function waitUntil<T extends Transaction>(transaction: T, dueAt: number | undefined): Step<T> {
  const { dueAt: _, attempts: __, ...rest } = transaction;
  return stepTo({ ...rest, ...(dueAt !== undefined && { dueAt }) } as T);
}

/**
 * The channel is about to be called. This is recorded before the call, so that the process that finds the transaction
 * after a crash knows that the channel may have it.
 */
export function beginCall<T extends Transaction>(transaction: T, now: number): Step<T> {
  return stepTo({ ...transaction, attempts: 0, dueAt: now + CALL_LEASE_MS });
}

/** The channel has not responded, and may have done what it was asked: it is called again, at `until` at the latest. */
export function retryCall<T extends Transaction>(
  transaction: T,
  failure: unknown,
  now: number,
  until = Number.POSITIVE_INFINITY,
): Step<T> {
  const attempts = (transaction.attempts ?? 0) + 1;
  const pause = Math.min(BACKOFF_MS.first * 2 ** (attempts - 1), BACKOFF_MS.max);
  return { ...stepTo({ ...transaction, attempts, dueAt: Math.min(now + pause, until) }), failure };
}

/** The channel is asked at once. The result of a call that is under way is discarded: it may be older. */
export function askNow<T extends Transaction>(transaction: T, now: number): Step<T> {
  return stepTo({ ...transaction, dueAt: now });
}

function stepTo<T extends Transaction>(transaction: T): Step<T> {
  return { transaction: { ...transaction, version: transaction.version + 1 }, entries: [], notify: false };
}
