/** Payouts: how they are opened, and what an event makes of them. Pure: no clock, no store, no channel. */
import type { CreatePayoutRequest } from '../../../generated/types.ts';
import { NOTIFIED, PAYOUT_MOVES, type PayoutEvent } from './events.ts';
import { type Actor, remember } from './history.ts';
import { IllegalMove } from './illegal-move.ts';
import { channelFor, findMethod } from './methods.ts';
import type { Cover, LedgerEntry, Payout, Step } from './transaction.ts';
import { settleUsage } from './usage.ts';

export interface PayoutOpening {
  readonly id: string;
  readonly merchantId: number;
  readonly request: CreatePayoutRequest;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** What the wallet has for it. */
  readonly cover: Cover;
}

/** A new payout. What the wallet covers is held for it at once; whatever is wrong with it shows later. */
export function openPayout({ id, merchantId, request, now, cover }: PayoutOpening): Step<Payout> {
  const method = findMethod('payout', request.payment_method_type);
  const transaction: Payout = {
    kind: 'payout',
    id,
    merchantId,
    orderId: request.merchant_order_id,
    amount: request.amount,
    currency: request.currency,
    method: request.payment_method_type,
    callbackUrl: request.callback_url,
    customer: request.customer,
    createdAt: now,
    channel: channelFor(method, request.customer),
    dueAt: now,
    version: 1,
    status: 'PROCESSING',
    cover,
  };
  return { transaction, entries: cover === 'held' ? [hold(request.amount)] : [], notify: false };
}

/**
 * What an event makes of a payout at a time. Throws IllegalMove when its status does not allow the event. `by` is who
 * caused it, if that isn't who usually does.
 */
export function applyPayoutEvent(payout: Payout, event: PayoutEvent, now: number, by?: Actor): Step<Payout> {
  const status = PAYOUT_MOVES[event.type][payout.status];
  if (!status || (event.type === 'succeeded' && payout.cover !== 'held'))
    throw new IllegalMove(payout.status, event.type);
  const { dueAt: _, attempts: __, ...rest } = payout;
  const transaction: Payout = {
    ...rest,
    status,
    finalizedAt: now,
    history: remember(payout, event.type, now, by),
    ...(payout.cover === 'held' && { cover: 'released' as const }),
    version: payout.version + 1,
    ...(event.type === 'declined' && { declineReason: event.reason }),
  };
  const entries = payout.cover === 'held' ? [ending(payout.amount, event)] : [];
  const step = { transaction, entries, notify: NOTIFIED.has(status) };
  return status === 'FAILED' ? settleUsage(step, 0) : step;
}

function hold(amount: number): LedgerEntry {
  return { from: 'available', to: 'reserved', amount, reason: 'reserved' };
}

function ending(amount: number, event: PayoutEvent): LedgerEntry {
  return event.type === 'succeeded'
    ? { from: 'reserved', to: 'bank', amount, reason: 'paid_out' }
    : { from: 'reserved', to: 'available', amount, reason: 'released' };
}
