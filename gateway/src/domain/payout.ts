/** The payout state machine. Pure: no clock, no store, no channel. */
import { IllegalMove, NOTIFIED, PAYOUT_MOVES, type PayoutEvent } from './events.ts';
import { type Actor, remember, timeOfChange } from './history.ts';
import { createEntry } from './ledger.ts';
import { newTransactionFields, type Opening } from './opening.ts';
import { createStep, DONE, due } from './schedule.ts';
import type { FundsHold, Payout, Step } from './transaction.ts';
import { settleUsage } from './usage.ts';

export interface PayoutOpening extends Opening<Payout> {
  readonly fundsHold: FundsHold;
}

/** A new payout. The amount is held immediately if the wallet has it. Problems appear later. */
export function openPayout(opening: PayoutOpening): Step<Payout> {
  const { order, now, fundsHold } = opening;
  const created: Payout = {
    kind: 'payout',
    ...order,
    ...newTransactionFields('payout', opening),
    status: 'PROCESSING',
    fundsHold,
  };
  return createStep(created, due(now), {
    entries: fundsHold === 'held' ? [createEntry('reserved', order.amount)] : [],
  });
}

/**
 * Applies an event to a payout. Throws IllegalMove if its status does not allow the event. `by` is the actor, if it
 * isn't the usual one.
 */
export function applyPayoutEvent(payout: Payout, event: PayoutEvent, now: number, by?: Actor): Step<Payout> {
  const status = PAYOUT_MOVES[event.type][payout.status];
  if (!status || (event.type === 'succeeded' && payout.fundsHold !== 'held'))
    throw new IllegalMove(payout.status, event.type);
  const ended: Payout = {
    ...payout,
    attempts: undefined,
    status,
    finalizedAt: timeOfChange(payout, now),
    history: remember(payout, event.type, now, by),
    ...(event.type === 'declined' && { declineReason: event.reason }),
  };
  const ending = createEntry(event.type === 'succeeded' ? 'paid_out' : 'released', payout.amount);
  const entries = payout.fundsHold === 'held' ? [ending] : [];
  const step = createStep(ended, DONE, { entries, notify: NOTIFIED.has(status) });
  return status === 'FAILED' ? settleUsage(step, 0) : step;
}
