/**
 * The past events of a transaction. They are written with every change, so they omit derivable facts: the creation, and
 * each status, which its cause implies.
 */
import { PAYMENT_MOVES, PAYOUT_MOVES, type PaymentEvent, type PayoutEvent } from './events.ts';
import type { HistoryEntry, Payment, Payout, Status, StatusData, Transaction } from './transaction.ts';

/** An event, or a change without another status. */
export type Cause = 'created' | PaymentEvent['type'] | PayoutEvent['type'] | 'data_supplied' | 'cancel_requested';

export type Actor = 'merchant' | 'customer' | 'channel' | 'gateway' | 'operator' | 'simulation';

export interface Change {
  /** After the change. */
  readonly status: Status;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly cause: Cause;
  readonly by: Actor;
}

/** The usual actor of each cause. A change stores its actor only if it differs. */
const ACTORS: Readonly<Record<Cause, Actor>> = {
  created: 'merchant',
  clarification_needed: 'channel',
  confirmation_needed: 'channel',
  data_supplied: 'merchant',
  clarified: 'channel',
  confirmed: 'merchant',
  paid: 'customer',
  found_paid: 'channel',
  succeeded: 'channel',
  declined: 'channel',
  cancel_requested: 'gateway',
};

/** The only status after each cause. Other causes leave it unchanged. */
const STATUSES: Readonly<Record<string, Status | undefined>> = {
  ...Object.fromEntries(
    Object.entries({ ...PAYMENT_MOVES, ...PAYOUT_MOVES }).map(([cause, moves]) => [cause, findTargetStatus(moves)]),
  ),
  data_supplied: 'EXTRA_DATA_NEEDED',
};

function findTargetStatus(moves: Readonly<Record<string, Status>>): Status | undefined {
  return Object.values(moves)[0];
}

/** The time of a change made now. A history never goes back, although a sandbox clock can. */
export function timeOfChange(
  { history = [], createdAt }: Pick<Transaction, 'history' | 'createdAt'>,
  now: number,
): number {
  return Math.max(now, createdAt + (history.at(-1)?.[1] ?? 0));
}

/**
 * Appends a change to the history. Histories stay short, because statuses never repeat and other changes happen once.
 */
export function remember(
  transaction: Pick<Transaction, 'history' | 'createdAt'>,
  cause: Cause,
  now: number,
  by: Actor = ACTORS[cause],
): readonly HistoryEntry[] {
  const { history = [], createdAt } = transaction;
  const after = timeOfChange(transaction, now) - createdAt;
  return [...history, by === ACTORS[cause] ? [cause, after] : [cause, after, by]];
}

/** All changes, oldest first. */
export function listChanges(transaction: StatusData<Payment> | StatusData<Payout>): Change[] {
  const { createdAt, history = [] } = transaction;
  const opened = transaction.kind === 'payment' ? transaction.openedAs : 'PROCESSING';
  const changes: Change[] = [{ status: opened, at: createdAt, cause: 'created', by: ACTORS.created }];
  let status: Status = opened;
  for (const [remembered, after, by] of history) {
    const cause = remembered as Cause;
    status = STATUSES[cause] ?? status;
    changes.push({ status, at: createdAt + after, cause, by: (by as Actor | undefined) ?? ACTORS[cause] });
  }
  return changes;
}
