/** Steps: a transaction's next version, and the gateway's next action on it. */
import type { Next, Step, Transaction } from './transaction.ts';

/** Lease of a call of the channel, held by the process that began it, in milliseconds: longer than any call takes. */
export const CALL_LEASE_MS = 6_000;
/** Pauses before a channel that did not respond is called again: doubled each time, in milliseconds. */
const BACKOFF_MS = { first: 2_000, max: 60_000 };
/** The shortest pause before a channel is asked again, whatever time it names, in milliseconds. */
const ASK_AGAIN_MS_MIN = 1_000;

/** No action is left. */
export const DONE: Next = { type: 'none' };

/** Something is to be done at a time, in milliseconds since 1970. */
export function due(at: number): Next {
  return { type: 'due', at };
}

/** The step that writes a transaction as its next version. */
export function createStep<T extends Transaction>(
  transaction: T,
  next: Next,
  { entries = [], notify = false }: Partial<Pick<Step, 'entries' | 'notify'>> = {},
): Step<T> {
  const dueAt = next.type === 'none' ? undefined : next.at;
  return { transaction: { ...transaction, dueAt, version: transaction.version + 1 }, next, entries, notify };
}

/** The channel has responded. The next action is due at a time, or never if it is undefined. */
export function waitUntil<T extends Transaction>(transaction: T, dueAt: number | undefined): Step<T> {
  return createStep({ ...transaction, attempts: undefined }, dueAt === undefined ? DONE : due(dueAt));
}

/** The channel has responded that it is to be asked again at a time, or that it will notify, but at `until` at the latest. */
export function askAgain<T extends Transaction>(
  transaction: T,
  at: number | undefined,
  now: number,
  until = Number.POSITIVE_INFINITY,
): Step<T> {
  const next = Math.min(at === undefined ? until : Math.max(at, now + ASK_AGAIN_MS_MIN), until);
  return waitUntil(transaction, Number.isFinite(next) ? next : undefined);
}

/**
 * The channel is about to be called. This is recorded before the call, so that the process that finds the transaction
 * after a crash knows that the channel may have it.
 */
export function beginCall<T extends Transaction>(transaction: T, now: number): Step<T> {
  return withCallNext(createStep(transaction, DONE), now);
}

/** The same for a step that something else has led to, such as the opening. */
export function withCallNext<T extends Transaction>(step: Step<T>, now: number): Step<T> {
  const next = { type: 'call', at: now + CALL_LEASE_MS } as const;
  return { ...step, next, transaction: { ...step.transaction, attempts: 0, dueAt: next.at } };
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
  return { ...createStep({ ...transaction, attempts }, due(Math.min(now + pause, until))), failure };
}

/** Calls the channel at once. The result of a call in flight is discarded, since it may be older. */
export function askNow<T extends Transaction>(transaction: T, now: number): Step<T> {
  return createStep(transaction, due(now));
}

/** Whether the channel was called and has not responded yet. */
export function awaitsResponse({ attempts }: Transaction): boolean {
  return attempts !== undefined;
}

/** Whether the channel is being called for the first time since it last responded, by a process that may have died. */
export function isCalling({ attempts }: Transaction): boolean {
  return attempts === 0;
}

/** Whether the gateway has something to do about it now, while no response is awaited. */
export function isDue(transaction: Transaction, now: number): boolean {
  const { dueAt } = transaction;
  return !awaitsResponse(transaction) && dueAt !== undefined && dueAt <= now;
}
