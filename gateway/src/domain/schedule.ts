/** Steps: a transaction's next version, and the gateway's next action on it. */
import type { Next, Step, Transaction } from './transaction.ts';

/** Lease of a channel call, held by the process that started it, in milliseconds. Exceeds the duration of any call. */
export const CALL_LEASE_MS = 6_000;
/** Delays before an unresponsive channel is called again, doubled each time, in milliseconds. */
const BACKOFF_MS = { first: 2_000, max: 60_000 };
/** The minimum delay before a channel is asked again, even if it asks for less, in milliseconds. */
const ASK_AGAIN_MS_MIN = 1_000;

/** No action is left. */
export const DONE: Next = { type: 'none' };

/** An action is due at a time, in milliseconds since 1970. */
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

/** The channel has asked to be called again at a time, or will notify. It is called at `until` at the latest. */
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
 * The channel is about to be called. This is recorded before the call, so that after a crash it is known that the
 * channel may have the transaction.
 */
export function beginCall<T extends Transaction>(transaction: T, now: number): Step<T> {
  return withCallNext(createStep(transaction, DONE), now);
}

/** The same for another step, such as the opening. */
export function withCallNext<T extends Transaction>(step: Step<T>, now: number): Step<T> {
  const next = { type: 'call', at: now + CALL_LEASE_MS } as const;
  return { ...step, next, transaction: { ...step.transaction, attempts: 0, dueAt: next.at } };
}

/** The channel has not responded and may have acted. It is called again, at `until` at the latest. */
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

/** Calls the channel immediately. The result of a call in flight is discarded, since it may be outdated. */
export function askNow<T extends Transaction>(transaction: T, now: number): Step<T> {
  return createStep(transaction, due(now));
}

/** Whether the channel was called and has not responded yet. */
export function awaitsResponse({ attempts }: Transaction): boolean {
  return attempts !== undefined;
}

/** Whether the channel is being called for the first time since it last responded, by a process that may have died. */
export function isCalling({ attempts }: Pick<Transaction, 'attempts'>): boolean {
  return attempts === 0;
}

/** Whether an action is due now while no response is pending. */
export function isDue(transaction: Transaction, now: number): boolean {
  const { dueAt } = transaction;
  return !awaitsResponse(transaction) && dueAt !== undefined && dueAt <= now;
}
