/**
 * Decides the gateway's next step with a transaction: let it expire, decline it by the rules, or call its channel. The
 * channel is called outside of any unit of work. Its result becomes a step, which is committed in one.
 */
import { type CallContext, type Channel, type ChannelResponse, ChannelUnavailable } from '../channels/channel.ts';
import { InvalidResult } from '../channels/results.ts';
import { type CallResult, type ChannelEvent, withEndedCall } from '../domain/channel-calls.ts';
import { IllegalMove } from '../domain/events.ts';
import { decide } from '../domain/exceptions.ts';
import { applyPaymentEvent } from '../domain/payment.ts';
import { applyPayoutEvent } from '../domain/payout.ts';
import { declineByRules } from '../domain/rules.ts';
import { askAgain, beginCall, isDue, retryCall, waitUntil, withCallNext } from '../domain/schedule.ts';
import {
  type ChannelCallName,
  type DefiniteResult,
  isFinal,
  type Payment,
  type Payout,
  type Step,
  type Transaction,
} from '../domain/transaction.ts';
import { OVER_LIMIT, reserveUsage } from '../domain/usage.ts';
import { summarizeError } from '../platform/log.ts';
import { type SpanStart, withSpan } from '../platform/tracing.ts';
import { findPlan } from './orders.ts';
import type { Services } from './services.ts';

export type DecisionServices = Pick<Services, 'methods' | 'channels' | 'pauses' | 'clock' | 'time' | 'tracer'>;

/** Milliseconds after which a payout looks again whether it is still paused. */
const PAUSED_MS = 30_000;

interface Question<T extends Transaction, E> {
  readonly call: ChannelCallName;
  readonly ask: (channel: Channel, now: number, context: CallContext) => Promise<ChannelResponse<E>>;
  /** The step that follows from an event that isn't a definite result, of the transaction with this call. */
  readonly apply?: (called: T, event: E, now: number) => Step<T>;
  /** The channel was never called for this before, so that being unavailable it cannot have done anything. */
  readonly first?: boolean;
  /** The latest time to ask again, limited by other due work, such as the expiry. */
  readonly until?: number;
}

/**
 * Decides the next step of a transaction. With `begun`, the step before was to call the channel, which is called for the
 * first time now.
 */
export async function decideNextStep<T extends Transaction>(
  transaction: T,
  services: DecisionServices,
  begun = false,
): Promise<Step<T>> {
  const step: Step =
    transaction.kind === 'payment'
      ? await decidePaymentStep(transaction, services, begun)
      : await decidePayoutStep(transaction, services, begun);
  return step as Step<T>;
}

/**
 * Returns the opening with the first call of the channel as next action. Returns undefined if the channel must not be
 * called yet, because the transaction waits for data, breaks a rule, or its channel is paused.
 */
export async function withFirstCall<T extends Transaction>(
  opening: Step<T>,
  { methods, channels, pauses }: DecisionServices,
  now: number,
): Promise<Step<T> | undefined> {
  const { transaction } = opening;
  if (!isDue(transaction, now)) return undefined;
  if (declineByRules(methods, transaction, findPlan(channels, transaction))) return undefined;
  if (await pauses?.isPaused(transaction)) return undefined;
  return reserveUsage(methods, withCallNext(opening, now), transaction.amount, () => opening);
}

async function decidePaymentStep(payment: Payment, services: DecisionServices, begun: boolean): Promise<Step<Payment>> {
  const now = services.time.at(payment.merchantId).now;
  const { status, clarifying, cancelReason, usageAmount, expiresAt } = payment;
  if (isFinal(status)) return waitUntil(payment, undefined);
  if (status === 'VERIFYING') return verify(payment, services);
  if (cancelReason !== undefined || now >= expiresAt) return cancel(payment, services);
  const refuse = (reason: string) => decline(payment, services, reason, now);
  if (status === 'CREATED' && usageAmount === undefined)
    return admit(payment, services, now, { refuse, whilePaused: () => refuse(PAUSED) });
  // Its method has asked for data before the channel ever heard of it.
  const isNew = begun && clarifying !== undefined && payment.openedAs === 'EXTRA_DATA_NEEDED';
  if (isNew && (await services.pauses?.isPaused(payment))) return refuse(PAUSED);
  if (status === 'CREATED' || clarifying) {
    return callChannel(payment, services, {
      call: clarifying ? 'clarify' : 'initiate',
      ask: (channel, time, context) =>
        clarifying ? channel.clarify(payment, clarifying, time, context) : channel.initiate(payment, time, context),
      apply: (called, event, time) => applyPaymentEvent(services.methods, called, event, time),
      first: begun,
      until: expiresAt,
    });
  }
  // It waits for its customer, so that only a notification of its channel makes it due before it expires.
  return status === 'PAY_CONFIRMATION_NEEDED' ? verify(payment, services) : waitUntil(payment, expiresAt);
}

/** Asks whether a payment is paid. A paid one needs no confirmation. */
function verify(payment: Payment, services: DecisionServices): Promise<Step<Payment>> {
  return callChannel(payment, services, {
    call: 'verify',
    ask: (channel, now, context) => channel.verify(payment, now, context),
    ...(payment.status !== 'VERIFYING' && { until: payment.expiresAt }),
  });
}

/** Declines an expired or cancelled payment after its channel has cancelled the collection. */
async function cancel(payment: Payment, services: DecisionServices): Promise<Step<Payment>> {
  const reason = payment.cancelReason ?? 'TIMEOUT_EXPIRED';
  if (payment.usageAmount === undefined)
    return decline(payment, services, reason, services.time.at(payment.merchantId).now);
  return callChannel(payment, services, {
    call: 'cancel',
    ask: (channel, now, context) => channel.cancel(payment, now, context),
    apply: (called, event, now) =>
      event.type === 'cancelled'
        ? decline(called, services, reason, now)
        : applyPaymentEvent(services.methods, called, event, now),
  });
}

async function decidePayoutStep(payout: Payout, services: DecisionServices, begun: boolean): Promise<Step<Payout>> {
  if (isFinal(payout.status)) return waitUntil(payout, undefined);
  const now = services.time.at(payout.merchantId).now;
  if (payout.usageAmount === undefined) {
    return admit(payout, services, now, {
      refuse: (reason) => applyPayoutEvent(payout, { type: 'declined', reason }, now, 'gateway'),
      whilePaused: () => waitUntil(payout, now + PAUSED_MS),
    });
  }
  return callChannel(payout, services, {
    call: 'payOut',
    ask: (channel, time, context) => channel.payOut(payout, time, context),
    first: begun,
  });
}

/** Asks the channel how a transaction has ended that is final here. Undefined if it has not ended there. */
export async function askAboutFinal(
  transaction: Transaction,
  services: DecisionServices,
): Promise<DefiniteResult | undefined> {
  const { channels, clock, time } = services;
  const channel = channels.of(transaction);
  const call = transaction.kind === 'payment' ? 'verify' : 'verifyPayout';
  const at = time.at(transaction.merchantId).now;
  const began = clock.now();
  const answer = await withSpan<ChannelResponse<ChannelEvent>>(
    services.tracer,
    () => describeCallSpan(transaction, call),
    (span) => {
      const context = { traceparent: span?.passedOn };
      return transaction.kind === 'payment'
        ? channel.verify(transaction, at, context)
        : channel.verifyPayout(transaction, at, context);
    },
  );
  if (!('event' in answer) || !isDefinite(answer.event)) return undefined;
  return { call, at, took: Math.max(clock.now() - began, 0), event: answer.event };
}

/** The reason with which payments are declined while their channel is paused: their customers can pay by another method. */
const PAUSED = 'CHANNEL_DOWN';

interface Refusals<T extends Transaction> {
  readonly refuse: (reason: string) => Step<T>;
  /** The step while the channel is paused. */
  readonly whilePaused: () => Step<T>;
}

/**
 * Lets the channel have a transaction, or declines it by the rules and the customer's limits. Once the channel may have
 * it, only the channel may decline it, even if the rules have changed since.
 */
async function admit<T extends Transaction>(
  transaction: T,
  { methods, channels, pauses }: DecisionServices,
  now: number,
  { refuse, whilePaused }: Refusals<T>,
): Promise<Step<T>> {
  const reason = declineByRules(methods, transaction, findPlan(channels, transaction));
  if (reason) return refuse(reason);
  if (await pauses?.isPaused(transaction)) return whilePaused();
  // A separate step, because an amount over a limit must never reach the channel.
  return reserveUsage(methods, beginCall(transaction, now), transaction.amount, () => refuse(OVER_LIMIT));
}

/**
 * The step that follows from the channel's result. An unknown outcome is asked about again, never guessed
 * (docs/decisions/0006-channel-outcomes.md).
 */
async function callChannel<T extends Transaction, E extends ChannelEvent>(
  transaction: T,
  services: DecisionServices,
  { call, ask, apply = refuseEvent, first = false, until }: Question<T, E>,
): Promise<Step<T>> {
  const { methods, channels, clock, time } = services;
  const channel = channels.of(transaction);
  const now = () => time.at(transaction.merchantId).now;
  const at = now();
  const began = clock.now();
  const called = (result: CallResult, failure?: unknown): T => {
    const error = failure === undefined ? undefined : summarizeError(failure);
    const took = Math.max(clock.now() - began, 0);
    return { ...transaction, calls: withEndedCall(transaction, { call, at, took, result, error }) };
  };
  let answer: ChannelResponse<E>;
  try {
    answer = await withSpan(
      services.tracer,
      () => describeCallSpan(transaction, call),
      (span) => ask(channel, now(), { traceparent: span?.passedOn }),
    );
  } catch (error) {
    const isUnavailable = error instanceof ChannelUnavailable;
    const failed = called(readResult(error), error);
    return first && isUnavailable
      ? { ...decide(methods, failed, { type: 'declined', reason: error.reason }, now()), failure: error }
      : retryCall(failed, error, now(), until);
  }
  if (!('event' in answer)) return askAgain(called('ask_again'), answer.askAgainAt, now(), until);
  const { event } = answer;
  const took = Math.max(clock.now() - began, 0);
  try {
    if (!isDefinite(event)) return apply(called(event.type), event, now());
    return { ...decide(methods, called(event.type), event, now()), result: { call, at, took, event } };
  } catch (error) {
    // An event that the transaction can't take, such as one of another status, is the channel's mistake.
    return retryCall(called(event.type, error), error, now(), until);
  }
}

function refuseEvent({ status }: Transaction, { type }: ChannelEvent): never {
  throw new IllegalMove(status, type);
}

function isDefinite(event: ChannelEvent): event is DefiniteResult['event'] {
  return event.type === 'succeeded' || event.type === 'declined';
}

function readResult(error: unknown): CallResult {
  if (error instanceof InvalidResult) return 'invalid_result';
  return error instanceof ChannelUnavailable ? 'unavailable' : 'no_response';
}

function describeCallSpan({ id, merchantId, channel }: Transaction, call: ChannelCallName): SpanStart {
  return {
    name: `channel ${call}`,
    kind: 'client',
    attributes: {
      'payments.channel': channel,
      'payments.channel.call': call,
      'payments.transaction.id': id,
      'payments.merchant.id': merchantId,
    },
  };
}

function decline(payment: Payment, { methods }: DecisionServices, reason: string, now: number): Step<Payment> {
  return applyPaymentEvent(methods, payment, { type: 'declined', reason }, now, 'gateway');
}
