/**
 * A transaction's log of channel calls. A step writes the entry of the next call, and the following step replaces it
 * with the result, so logging costs no additional write. Consecutive identical calls share an entry.
 */
import type { CancelEvent, PaymentEvent, PayoutEvent } from './events.ts';
import type { CallEntry, ChannelCallName, Transaction } from './transaction.ts';

/** Entries of a transaction: the first, and the newest. */
export const CALL_ENTRIES_MAX = 20;

export type ChannelEvent = PaymentEvent | PayoutEvent | CancelEvent;

/** The result of a call: an event, no event yet, a refusal, no response, or an invalid response. */
export type CallResult = ChannelEvent['type'] | 'ask_again' | 'unavailable' | 'no_response' | 'invalid_result';

/** A completed call. */
export interface EndedCall {
  readonly call: ChannelCallName;
  /** Its beginning, in milliseconds since 1970. */
  readonly at: number;
  /** Its duration in milliseconds. */
  readonly took: number;
  readonly result: CallResult;
  /** For people, without secrets. */
  readonly error?: string | undefined;
}

/** Consecutive identical calls. Times are milliseconds since 1970. */
export interface Calls {
  readonly call: ChannelCallName;
  /** Beginning of the first. */
  readonly at: number;
  /** Undefined while the call is in flight, or if its result was never written. */
  readonly result?: string | undefined;
  /** Duration of the last, in milliseconds. */
  readonly took?: number | undefined;
  /** Of the last. */
  readonly error?: string | undefined;
  readonly times: number;
  /** Beginning of the last. */
  readonly lastAt: number;
}

/** Adds an entry for the next call. It stays only if the result is never written. */
export function withBegunCall(transaction: Transaction, now: number): readonly CallEntry[] {
  const { calls = [] } = transaction;
  return bounded([...calls, [selectCall(transaction), since(transaction, now)]]);
}

/** Adds a completed call to the entries. */
export function withEndedCall(transaction: Transaction, ended: EndedCall): readonly CallEntry[] {
  const { calls = [] } = transaction;
  const last = calls.at(-1);
  const { call, at, took, result, error } = ended;
  const after = since(transaction, at);
  if (last?.[0] === call && last[3] === result) {
    const [, first, , , , times = 1] = last;
    const alike: CallEntry = [call, first, took, result, error ?? null, times + 1, after];
    return [...calls.slice(0, -1), alike];
  }
  const entry = [call, after, took, result] as const;
  return bounded([...calls, error === undefined ? entry : [...entry, error]]);
}

/** All calls, the oldest first. */
export function listCalls({ calls = [], createdAt }: Pick<Transaction, 'calls' | 'createdAt'>): Calls[] {
  return calls.map(([call, after, took, result, error, times = 1, lastAfter = after]) => ({
    call,
    at: createdAt + after,
    result,
    took,
    error: error ?? undefined,
    times,
    lastAt: createdAt + lastAfter,
  }));
}

/** The first call of a transaction. */
function selectCall(transaction: Transaction): ChannelCallName {
  if (transaction.kind === 'payout') return 'payOut';
  if (transaction.cancelReason !== undefined) return 'cancel';
  return transaction.clarifying ? 'clarify' : 'initiate';
}

/** A sandbox merchant's clock can go back, but the entries don't. */
function since({ createdAt, calls }: Transaction, now: number): number {
  const [, after = 0, , , , , lastAfter = after] = calls?.at(-1) ?? [];
  return Math.max(now - createdAt, lastAfter);
}

function bounded(entries: readonly CallEntry[]): readonly CallEntry[] {
  return entries.length > CALL_ENTRIES_MAX ? entries.toSpliced(1, entries.length - CALL_ENTRIES_MAX) : entries;
}
