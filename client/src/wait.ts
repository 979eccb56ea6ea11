/** Polls a transaction. Webhooks are faster; use this where you have none. */
import type { Payment, Payout, Problem } from '../../generated/types.ts';
import type { PaymentsClient } from './client.ts';
import { type Clock, limitTime, sleep, systemClock } from './clock.ts';
import { CallError } from './errors.ts';
import { type PartialOptions, withDefaults } from './options.ts';
import { isTransient, retryAfterMs } from './retry.ts';
import { type ActionStatus, type FinalStatus, isFinal, needsAction } from './transactions.ts';

interface Waiting {
  /** Maximum time to wait, 15 minutes by default. */
  deadlineMs: number;
  /** Pause before the second read, 1 s by default. Each further pause is half as long again. */
  pauseMs: number;
  /** Longest pause, 30 s by default. A Retry-After may ask for a longer one. */
  pauseMsMax: number;
  clock: Clock;
}
export interface WaitOptions extends PartialOptions<Waiting> {
  signal?: AbortSignal | null | undefined;
}

/** The outcome of a wait. */
export type WaitResult<T extends { status: string }> =
  /** SUCCESS or FAILED. */
  | { outcome: 'final'; data: Extract<T, { status: FinalStatus }> }
  /** `deadlineMs` is over. `data` is the last state read, and `error` is the last read's failure, if any. */
  | { outcome: 'deadline'; data: T | undefined; error?: CallError | Problem | undefined }
  /** The service refused to show the transaction. */
  | { outcome: 'problem'; error: Problem; response: Response };

/** A payment can also need `clarify` or `confirm`. */
export type PaymentWaitResult =
  | WaitResult<Payment>
  | { outcome: 'action_needed'; data: Extract<Payment, { status: ActionStatus }> };
export type PayoutWaitResult = WaitResult<Payout>;

type Read<T> =
  | { data?: T; error?: Problem; response: Response }
  | { data?: never; error: CallError; response?: undefined };

const DEFAULTS: Waiting = { deadlineMs: 900_000, pauseMs: 1_000, pauseMsMax: 30_000, clock: systemClock };
const GROWTH = 1.5;

/**
 * Waits until a payment is final or needs an action. Continues after temporary failures, such as a lost connection or
 * 503. Rejects with the reason of the signal, or with a local error, such as one thrown by `auth`.
 */
export function waitForPayment(
  client: PaymentsClient,
  id: string,
  options: WaitOptions = {},
): Promise<PaymentWaitResult> {
  return wait<Payment, PaymentWaitResult>(
    (signal) => client.GET('/payments/{transaction_id}', { params: { path: { transaction_id: id } }, signal }),
    (payment) =>
      isFinal(payment)
        ? { outcome: 'final', data: payment }
        : needsAction(payment)
          ? { outcome: 'action_needed', data: payment }
          : undefined,
    options,
  );
}

/** Waits until a payout is final; see `waitForPayment`. */
export function waitForPayout(
  client: PaymentsClient,
  id: string,
  options: WaitOptions = {},
): Promise<PayoutWaitResult> {
  return wait<Payout, PayoutWaitResult>(
    (signal) => client.GET('/payouts/{payout_id}', { params: { path: { payout_id: id } }, signal }),
    (payout) => (isFinal(payout) ? { outcome: 'final', data: payout } : undefined),
    options,
  );
}

async function wait<T extends { status: string }, R>(
  read: (signal: AbortSignal) => Promise<Read<T>>,
  ending: (data: T) => R | undefined,
  options: WaitOptions,
): Promise<R | WaitResult<T>> {
  const { deadlineMs, pauseMs, pauseMsMax, clock } = withDefaults(DEFAULTS, options);
  let last: T | undefined;
  let failed: CallError | Problem | undefined;

  async function poll(inner: AbortSignal): Promise<R | WaitResult<T>> {
    for (let pause = pauseMs; ; pause *= GROWTH) {
      const { data, error, response } = await read(inner).catch(asFailedRead);
      if (error && response && !isTransient(response.status)) return { outcome: 'problem', error, response };
      last = data ?? last;
      failed = error;
      const end = data && ending(data);
      if (end) return end;
      await sleep(clock, Math.max(Math.min(pause, pauseMsMax), retryAfterMs(response, clock.now())), inner);
    }
  }

  return limitTime(clock, deadlineMs, options.signal, poll, () => ({ outcome: 'deadline', data: last, error: failed }));
}

function asFailedRead(error: unknown): Read<never> {
  if (error instanceof CallError) return { error };
  throw error;
}
