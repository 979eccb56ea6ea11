/**
 * Definite results of a channel: a payment was paid, with its amount, a payout has arrived, or either was declined. The
 * first one decides. A later, contradicting result is an exception: it is stored with the transaction, which stays
 * unchanged until two operators resolve it.
 */
import { withEndedCall } from './channel-calls.ts';
import { IllegalMove } from './events.ts';
import type { Actor } from './history.ts';
import type { Methods } from './methods.ts';
import { applyPaymentEvent, collectPayment } from './payment.ts';
import { applyPayoutEvent } from './payout.ts';
import { createStep, DONE } from './schedule.ts';
import {
  type DefiniteResult,
  type Exception,
  isFinal,
  type Payment,
  type StatusData,
  type Step,
  type Transaction,
} from './transaction.ts';

/** Exceptions of a transaction. Later contradictions are only logged. */
export const EXCEPTIONS_MAX = 20;

/** The step to which a definite result leads. Undefined if the transaction is final and the result agrees with it. */
export function takeResult(
  methods: Methods,
  transaction: Transaction,
  result: DefiniteResult,
  now: number,
): Step | undefined {
  const { call, at, took, event } = result;
  const called = { ...transaction, calls: withEndedCall(transaction, { call, at, took, result: event.type }) };
  if (!isFinal(transaction.status)) return decide(methods, called, event, now);
  const exception = toException(transaction, result, now);
  return exception && toStep(called, [...(transaction.exceptions ?? []), exception]);
}

/**
 * The step with which a definite result ends a transaction. Throws IllegalMove if its status does not allow the result.
 * `by` is the actor, if it isn't the channel.
 */
export function decide<T extends Transaction>(
  methods: Methods,
  transaction: T,
  event: DefiniteResult['event'],
  now: number,
  by?: Actor,
): Step<T> {
  const step: Step =
    transaction.kind === 'payout'
      ? applyPayoutEvent(transaction, event.type === 'succeeded' ? { type: 'succeeded' } : event, now, by)
      : endPayment(methods, transaction, event, now, by);
  return step as Step<T>;
}

function endPayment(
  methods: Methods,
  payment: Payment,
  event: DefiniteResult['event'],
  now: number,
  by?: Actor,
): Step<Payment> {
  if (event.type === 'succeeded') return collectPayment(methods, payment, event.amountPaid ?? 0, now, by);
  const [cause, , foundBy] = payment.history?.at(-1) ?? [];
  // The channel has found it paid without an amount. It is asked again, or two operators decide.
  if (by === undefined && cause === 'found_paid' && foundBy === undefined)
    throw new IllegalMove(`${payment.status}, found paid,`, event.type);
  return applyPaymentEvent(methods, payment, event, now, by);
}

/** Whether a result contradicts a final transaction, by its amount. */
export function contradicts(transaction: Transaction, event: DefiniteResult['event']): boolean {
  return (
    isFinal(transaction.status) && claimedAmount(transaction, event) !== describeContradiction(transaction).claimed
  );
}

/** The unresolved exceptions. */
export function openExceptions({ exceptions = [] }: Pick<Transaction, 'exceptions'>): readonly Exception[] {
  return exceptions.filter(({ resolved }) => resolved === undefined);
}

/** Amounts of a final transaction, in minor units: the channel's by its last result, and the one in the books. */
export interface Contradiction {
  readonly claimed: number;
  readonly booked: number;
}

export function describeContradiction(transaction: StatusData<Transaction>): Contradiction {
  const { exceptions = [] } = transaction;
  const decided = decidedAmount(transaction);
  return {
    claimed: exceptions.at(-1)?.amount ?? decided,
    booked: exceptions.findLast(({ resolved }) => resolved === 'booked')?.amount ?? decided,
  };
}

/**
 * The amount that corrects a contradiction in the merchant's wallet: positive for a credit, negative for a debit. A
 * payment's money is the merchant's, and a payout's has left.
 */
export function calculateCorrection(kind: Transaction['kind'], { claimed, booked }: Contradiction): number {
  return kind === 'payment' ? claimed - booked : booked - claimed;
}

/** Resolves the open exceptions of a transaction. */
export function resolveExceptions(transaction: Transaction, resolved: 'booked' | 'outside'): Step {
  const { exceptions = [] } = transaction;
  return toStep(
    transaction,
    exceptions.map((exception) => ({ resolved, ...exception })),
  );
}

function toException(transaction: Transaction, { call, event }: DefiniteResult, now: number): Exception | undefined {
  const { exceptions = [] } = transaction;
  const amount = claimedAmount(transaction, event);
  if (!contradicts(transaction, event) || exceptions.length >= EXCEPTIONS_MAX) return undefined;
  return {
    ...{ at: Math.max(now, exceptions.at(-1)?.at ?? now), call, result: event.type, amount },
    ...(event.type === 'declined' && { reason: event.reason }),
  };
}

function claimedAmount({ kind, amount }: StatusData<Transaction>, event: DefiniteResult['event']): number {
  if (event.type === 'declined') return 0;
  return kind === 'payout' ? amount : (event.amountPaid ?? 0);
}

function decidedAmount(transaction: StatusData<Transaction>): number {
  if (transaction.status !== 'SUCCESS') return 0;
  return transaction.kind === 'payout' ? transaction.amount : (transaction.amountPaid ?? 0);
}

function toStep(transaction: Transaction, exceptions: readonly Exception[]): Step {
  return createStep({ ...transaction, exceptions }, DONE);
}
