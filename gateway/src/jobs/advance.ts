/**
 * What the gateway does about a transaction whose time has come: let it expire, decline it by the rules, ask its
 * channel, or settle it. The channel is asked outside of any unit of work; what it says is applied in one.
 */
import { type Channel, type ChannelAnswer, ChannelUnavailable } from '../channel/channel.ts';
import type { PaymentEvent } from '../domain/events.ts';
import { applyPaymentEvent, settlePayment } from '../domain/payment.ts';
import { applyPayoutEvent } from '../domain/payout.ts';
import { declineByRules } from '../domain/rules.ts';
import { isFinal, type Payment, type Payout, type Step, type Transaction } from '../domain/transaction.ts';
import { counted } from '../domain/usage.ts';

/** After this a channel that was down is asked again. */
const ASK_AGAIN_MS = 30_000;
/** So long a payout that is being handed over stays with the process that does it. */
const HAND_OVER_MS = 10_000;

/**
 * The next step of a transaction that is due, at a time in milliseconds since 1970. A channel that is down or overloaded
 * declines what it cannot have begun: a payment in CREATED, and a payout of which `first` says that this is the first
 * call ever. Anything else may have reached the world, so it is never declined for a failing call, but asked about again.
 */
export async function advance(transaction: Transaction, channel: Channel, now: number, first = false): Promise<Step> {
  try {
    return await nextStep(transaction, channel, now);
  } catch (error) {
    const untouched = transaction.status === 'CREATED' || first;
    if (error instanceof ChannelUnavailable) {
      return untouched ? decline(transaction, error.reason, now) : wait(transaction, now + ASK_AGAIN_MS);
    }
    if (transaction.status === 'CREATED') return decline(transaction, 'INTERNAL_ERROR', now);
    throw error;
  }
}

/** Whether this step is the one after which the payout is handed to its channel. */
export function handsOver(before: Transaction, { transaction }: Step): boolean {
  return (
    transaction.kind === 'payout' &&
    transaction.status === 'PROCESSING' &&
    !before.counted &&
    transaction.counted === true
  );
}

function nextStep(transaction: Transaction, channel: Channel, now: number): Promise<Step> {
  return transaction.kind === 'payment'
    ? advancePayment(transaction, channel, now)
    : advancePayout(transaction, channel, now);
}

async function advancePayment(payment: Payment, channel: Channel, now: number): Promise<Step<Payment>> {
  if (payment.status === 'SUCCESS') return settlePayment(payment, now);
  if (payment.status === 'VERIFYING') return answered(payment, await channel.verify(payment, now), now, undefined);
  if (now >= payment.expiresAt) return applyPaymentEvent(payment, { type: 'declined', reason: 'TIMEOUT_EXPIRED' }, now);
  if (payment.status !== 'CREATED') return wait(payment, payment.expiresAt);
  const reason = declineByRules(payment);
  if (reason) return applyPaymentEvent(payment, { type: 'declined', reason }, now);
  return counted(answered(payment, await channel.initiate(payment, now), now, payment.expiresAt));
}

async function advancePayout(payout: Payout, channel: Channel, now: number): Promise<Step<Payout>> {
  if (isFinal(payout.status)) return wait(payout, undefined);
  // What the channel may have is its to decline, also when the rules have changed since.
  const reason = payout.counted ? undefined : declineByRules(payout);
  if (reason) return applyPayoutEvent(payout, { type: 'declined', reason }, now);
  // It is counted in a step of its own, before the channel has it: what goes over a limit must never be sent, and
  // whoever finds it counted after a crash knows that it may have been.
  if (!payout.counted) return counted(wait(payout, now + HAND_OVER_MS));
  const answer = await channel.payOut(payout, now);
  return 'event' in answer ? applyPayoutEvent(payout, answer.event, now) : wait(payout, answer.askAgainAt);
}

/** The transaction declined by the gateway itself. */
export function decline(transaction: Transaction, reason: string, now: number): Step {
  const event = { type: 'declined', reason } as const;
  return transaction.kind === 'payment'
    ? applyPaymentEvent(transaction, event, now)
    : applyPayoutEvent(transaction, event, now);
}

function answered(
  payment: Payment,
  answer: ChannelAnswer<PaymentEvent>,
  now: number,
  expiresAt: number | undefined,
): Step<Payment> {
  if ('event' in answer) return applyPaymentEvent(payment, answer.event, now);
  return wait(payment, earlier(answer.askAgainAt, expiresAt));
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function wait<T extends Payment | Payout>(transaction: T, dueAt: number | undefined): Step<T> {
  const { dueAt: _, ...rest } = transaction;
  const next = { ...rest, ...(dueAt !== undefined && { dueAt }), version: transaction.version + 1 } as T;
  return { transaction: next, entries: [], notify: false };
}
