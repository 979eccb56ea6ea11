/** Waiting for a transaction by reading it again and again. Webhooks are quicker; this is for where there are none. */
import type { Payment, Payout, Problem } from '../../generated/types.ts';
import type { PaymentsClient } from './client.ts';
import { type Clock, limitTime, sleep, systemClock } from './clock.ts';
import { CallError } from './errors.ts';
import { type PartialOptions, withDefaults } from './options.ts';
import { isTransient, retryAfterMs } from './retry.ts';
import { type ActionStatus, type FinalStatus, isFinal, needsAction } from './transactions.ts';

interface Waiting {
  /** Time to wait in all, 15 minutes by default. */
  deadlineMs: number;
  /** Pause before the second reading, 1 s by default; each further one is half as long again. */
  pauseMs: number;
  /** Longest pause, 30 s by default. A Retry-After may ask for longer. */
  pauseMsMax: number;
  clock: Clock;
}
export interface WaitOptions extends PartialOptions<Waiting> {
  signal?: AbortSignal | null | undefined;
}

/** The outcome of a wait. */
export type Waited<T extends { status: string }> =
  /** Nothing will change any more. */
  | { outcome: 'final'; data: Extract<T, { status: FinalStatus }> }
  /** `deadlineMs` is over; `data` is what was read last, and `error` why the last reading failed, if it did. */
  | { outcome: 'deadline'; data: T | undefined; error?: CallError | Problem | undefined }
  /** The service refused to show the transaction. */
  | { outcome: 'problem'; error: Problem; response: Response };

/** As `Waited`, and a payment may also need `clarify` or `confirm`. */
export type PaymentWaited =
  | Waited<Payment>
  | { outcome: 'action_needed'; data: Extract<Payment, { status: ActionStatus }> };
export type PayoutWaited = Waited<Payout>;

type Read<T> =
  | { data?: T; error?: Problem; response: Response }
  | { data?: never; error: CallError; response?: undefined };

const DEFAULTS: Waiting = { deadlineMs: 900_000, pauseMs: 1_000, pauseMsMax: 30_000, clock: systemClock };
const GROWTH = 1.5;

/**
 * Waits until a payment is final or needs an action. Failures that may pass, such as a lost connection or 503, are waited
 * out. Rejects with the reason of the signal, and with what is wrong on this side, such as an `auth` that throws.
 */
export function waitForPayment(client: PaymentsClient, id: string, options: WaitOptions = {}): Promise<PaymentWaited> {
  return wait<Payment, PaymentWaited>(
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
export function waitForPayout(client: PaymentsClient, id: string, options: WaitOptions = {}): Promise<PayoutWaited> {
  return wait<Payout, PayoutWaited>(
    (signal) => client.GET('/payouts/{payout_id}', { params: { path: { payout_id: id } }, signal }),
    (payout) => (isFinal(payout) ? { outcome: 'final', data: payout } : undefined),
    options,
  );
}

async function wait<T extends { status: string }, R>(
  read: (signal: AbortSignal) => Promise<Read<T>>,
  ending: (data: T) => R | undefined,
  options: WaitOptions,
): Promise<R | Waited<T>> {
  const { deadlineMs, pauseMs, pauseMsMax, clock } = withDefaults(DEFAULTS, options);
  let last: T | undefined;
  let failed: CallError | Problem | undefined;

  async function poll(inner: AbortSignal): Promise<R | Waited<T>> {
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
