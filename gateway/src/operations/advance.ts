/**
 * What the gateway itself does next about a transaction: lets it expire, declines it by the rules, calls its channel, or
 * settles it. The channel is called outside of any unit of work; its result becomes a step, which is recorded in one.
 */
import { type Channel, type ChannelAnswer, ChannelUnavailable } from '../channel/channel.ts';
import type { Channels } from '../channel/channels.ts';
import type { Actor } from '../domain/history.ts';
import { applyPaymentEvent, settlePayment } from '../domain/payment.ts';
import { applyPayoutEvent } from '../domain/payout.ts';
import { declineByRules } from '../domain/rules.ts';
import { beginCall, retryCall, waitUntil } from '../domain/schedule.ts';
import { isFinal, type Payment, type Payout, type Step, type Transaction } from '../domain/transaction.ts';
import { OVER_LIMIT, reserveUsage } from '../domain/usage.ts';
import type { MerchantTime } from '../platform/merchant-time.ts';
import { planOf } from './test-data.ts';

export interface Surroundings {
  readonly channels: Channels;
  readonly time: MerchantTime;
}

interface Question<T extends Transaction, E> {
  readonly ask: (channel: Channel, now: number) => Promise<ChannelAnswer<E>>;
  readonly apply: (event: E, now: number) => Step<T>;
  /** The channel was never called for this before, so that being unavailable it cannot have done anything. */
  readonly first?: boolean;
  /** When something else has to be done, whatever the channel says. */
  readonly until?: number;
}

/** The next step of a transaction. `first` says that the step before was to call its channel, which is the first time. */
export function advance(transaction: Transaction, around: Surroundings, first = false): Promise<Step> {
  return transaction.kind === 'payment'
    ? advancePayment(transaction, around, first)
    : advancePayout(transaction, around, first);
}

async function advancePayment(payment: Payment, around: Surroundings, first: boolean): Promise<Step<Payment>> {
  const now = around.time.at(payment.merchantId).now;
  const { status, clarifying, cancelReason, expiresAt } = payment;
  if (status === 'SUCCESS') return settlePayment(payment, now);
  if (status === 'VERIFYING') return verify(payment, around);
  if (cancelReason !== undefined || now >= expiresAt) return cancel(payment, around);
  if (status === 'CREATED') return initiate(payment, around, first);
  if (clarifying) {
    return callChannel(payment, around, {
      ask: (channel, time) => channel.clarify(payment, clarifying, time),
      apply: (event, time) => applyPaymentEvent(payment, event, time),
      first,
      until: expiresAt,
    });
  }
  // It waits for its customer, so that only a notification of its channel makes it due before it expires.
  return status === 'PAY_CONFIRMATION_NEEDED' ? verify(payment, around) : waitUntil(payment, expiresAt);
}

async function initiate(payment: Payment, around: Surroundings, first: boolean): Promise<Step<Payment>> {
  const now = around.time.at(payment.merchantId).now;
  if (payment.counted === undefined) {
    const reason = declineByRules(payment, planOf(around.channels, payment));
    if (reason) return decline(payment, reason, now);
    // In a step of its own: what exceeds a limit must never reach the channel.
    return reserveUsage(beginCall(payment, now), payment.amount, () => decline(payment, OVER_LIMIT, now));
  }
  return callChannel(payment, around, {
    ask: (channel, time) => channel.initiate(payment, time),
    apply: (event, time) => applyPaymentEvent(payment, event, time),
    first,
    until: payment.expiresAt,
  });
}

/** Asks whether a payment is paid; one that nobody has confirmed yet then is as good as confirmed. */
function verify(payment: Payment, around: Surroundings): Promise<Step<Payment>> {
  const confirmed = payment.status === 'VERIFYING';
  return callChannel(payment, around, {
    ask: (channel, now) => channel.verify(payment, now),
    apply: (event, now) => {
      const found = !confirmed && event.type === 'succeeded';
      return applyPaymentEvent(payment, found ? { type: 'found_paid' } : event, now);
    },
    ...(!confirmed && { until: payment.expiresAt }),
  });
}

/** Declines a payment that is over, once its channel cannot collect it any more, if it ever had it. */
async function cancel(payment: Payment, around: Surroundings): Promise<Step<Payment>> {
  const reason = payment.cancelReason ?? 'TIMEOUT_EXPIRED';
  if (payment.counted === undefined) return decline(payment, reason, around.time.at(payment.merchantId).now);
  return callChannel(payment, around, {
    ask: (channel, now) => channel.cancel(payment, now),
    apply: (event, now) =>
      event.type === 'cancelled' ? decline(payment, reason, now) : applyPaymentEvent(payment, event, now),
  });
}

async function advancePayout(payout: Payout, around: Surroundings, first: boolean): Promise<Step<Payout>> {
  if (isFinal(payout.status)) return waitUntil(payout, undefined);
  const now = around.time.at(payout.merchantId).now;
  if (payout.counted === undefined) {
    // Once a payout may be with the channel, only the channel may decline it, even if the rules have changed since.
    const reason = declineByRules(payout, planOf(around.channels, payout));
    if (reason) return decline(payout, reason, now);
    return reserveUsage(beginCall(payout, now), payout.amount, () => decline(payout, OVER_LIMIT, now));
  }
  return callChannel(payout, around, {
    ask: (channel, time) => channel.payOut(payout, time),
    apply: (event, time) => applyPayoutEvent(payout, event, time),
    first,
  });
}

/**
 * The step that follows from the channel's result. An unknown outcome is asked about again, never guessed
 * (docs/decisions/0006-channel-outcomes.md).
 */
async function callChannel<T extends Transaction, E>(
  transaction: T,
  { channels, time }: Surroundings,
  { ask, apply, first = false, until }: Question<T, E>,
): Promise<Step<T>> {
  const channel = channels.of(transaction);
  const now = () => time.at(transaction.merchantId).now;
  let answer: ChannelAnswer<E>;
  try {
    answer = await ask(channel, now());
  } catch (error) {
    if (first && error instanceof ChannelUnavailable) return decline(transaction, error.reason, now(), 'channel');
    return retryCall(transaction, error, now(), until);
  }
  if ('event' in answer) return apply(answer.event, now());
  return waitUntil(transaction, earlier(answer.askAgainAt, until));
}

function decline<T extends Transaction>(transaction: T, reason: string, now: number, by: Actor = 'gateway'): Step<T> {
  const event = { type: 'declined', reason } as const;
  const step: Step =
    transaction.kind === 'payment'
      ? applyPaymentEvent(transaction, event, now, by)
      : applyPayoutEvent(transaction, event, now, by);
  return step as Step<T>;
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
