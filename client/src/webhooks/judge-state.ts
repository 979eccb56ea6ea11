/** Decides whether a state of a transaction is new. Events arrive at least once and in any order, and reads repeat them. */
import { finalStatuses, statusRanks } from '../../../generated/statuses.ts';
import type { Payment, Payout } from '../../../generated/types.ts';
import { kindOf } from '../../../generated/webhooks.ts';

/** A state of a transaction: a WebhookEvent, or the result of a request, which has no event ID. */
export interface TransactionState {
  readonly data: Payment | Payout;
  readonly id?: string | undefined;
}

/**
 * - `new`: apply it.
 * - `duplicate`: it was applied before.
 * - `older`: a later state was applied before.
 */
export type Verdict = 'new' | 'duplicate' | 'older';

/** The known states of one transaction, by event ID. Plain data: store it as JSON. */
export type Seen = Readonly<Record<string, string>>;

/** The key of a read. The next event with the same content replaces it. */
export function readKey(content: string): string {
  return `read ${content}`;
}

/** The status with the requested items. A service can ask for data twice, and reads have no event ID to distinguish that. */
export function describeContent(data: Payment | Payout): string {
  const asked = 'clarify' in data ? data.clarify : 'pay_data' in data ? data.pay_data : undefined;
  return asked === undefined ? data.status : `${data.status} ${JSON.stringify(asked)}`;
}

/** Returns the verdict, and the states to store. Pure, so that you can call it in a transaction of your database. */
export function judgeState(seen: Seen = {}, { id, data }: TransactionState): { verdict: Verdict; seen: Seen } {
  const { status } = data;
  const content = describeContent(data);
  const read = readKey(content);
  const statuses = Object.values(seen).map((one) => one.split(' ', 1)[0] ?? '');
  const isFinal = (finalStatuses as readonly string[]).includes(status);
  const isKnown = id === undefined ? Object.values(seen).includes(content) : Object.hasOwn(seen, id);
  if (isKnown || (isFinal && statuses.includes(status))) return { verdict: 'duplicate', seen };

  const { [read]: wasRead, ...others } = seen;
  const next = { ...others, [id ?? read]: content };
  // The event of an earlier read.
  if (wasRead) return { verdict: 'duplicate', seen: next };
  const ranks: Readonly<Record<string, number>> = statusRanks[kindOf(data)];
  const rank = (of: string) => (Object.hasOwn(ranks, of) ? (ranks[of] ?? -1) : -1);
  // The same status under another ID is new, unless it is final.
  const isOlder = statuses.some((other) => (isFinal ? rank(other) >= rank(status) : rank(other) > rank(status)));
  return { verdict: isOlder ? 'older' : 'new', seen: next };
}
