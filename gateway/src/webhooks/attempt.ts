/** Attempts a claimed delivery, and ends its lease. */

import type { Log } from '../platform/log.ts';
import type { AddressLimits, Permit } from './address-limits.ts';
import type { DeliveryInterceptor, InterceptedAttempt } from './delivery-interceptor.ts';
import type { Leases } from './leases.ts';
import { type SendMessage, type SentMessage, toAttemptRecord, toLoggedAttempt } from './message.ts';
import { type Delivery, toEventId } from './outbox.ts';
import {
  type AttemptOutcome,
  type AttemptVerdict,
  describeResult,
  isDelivered,
  judgeAttempt,
  UNSIGNED_PAUSE_MS,
} from './retries.ts';
import type { DeliveryServices } from './sender.ts';
import { Unsigned } from './signer.ts';
import { URL_STOPPED } from './stopped-urls.ts';

export interface AttemptOptions {
  /** Called for every attempt, once it is written. */
  readonly onAttempt?: (attempt: AttemptReport) => void;
  /** Called when an event waits because it can't be signed. */
  readonly onUnsigned?: () => void;
  readonly log?: Pick<Log, 'warn'>;
  /** Keeps the headers of each attempt, and the beginning of its response. */
  readonly keepExchanges?: boolean;
}

export interface AttemptReport {
  readonly eventId: string;
  readonly merchantId: number;
  readonly transactionId: string;
  readonly outcome: AttemptOutcome;
  /** 1 for the first. */
  readonly attempt: number;
  readonly ms: number;
  /** From the event to the end of the attempt, in milliseconds of the clock. */
  readonly sinceEventMs: number;
}

interface Parts {
  readonly limits: AddressLimits;
  readonly leases: Leases;
  readonly sendMessage: SendMessage;
  readonly interceptor: DeliveryInterceptor | undefined;
  /** Aborted when the delivery is being stopped. */
  readonly closing: AbortSignal;
}

const UNTRIED = { tried: false, result: undefined, deliveredAt: undefined, nextAt: undefined } as const;

/** Returns a function that attempts a claimed delivery. It resolves when the outcome is written. */
export function createAttempt(
  { clock, time, ids }: Pick<DeliveryServices, 'clock' | 'time' | 'ids'>,
  options: AttemptOptions,
  { limits, leases, sendMessage, interceptor, closing }: Parts,
): (delivery: Delivery, permit: Permit) => Promise<unknown> {
  const { onAttempt, log, keepExchanges = false } = options;
  const postpone = createPostpone({ clock, time }, options, leases);

  const release = (delivery: Delivery, hangs?: boolean) =>
    leases.end(delivery, { ...UNTRIED, nextAt: clock.now(), hangs });

  async function attempt(delivery: Delivery, permit: Permit): Promise<unknown> {
    if (leases.isOutdated(delivery)) return release(delivery);
    if (delivery.stopped) return leases.end(delivery, { ...UNTRIED, result: URL_STOPPED });
    const nextAttemptAt = await interceptor?.heldUntil(delivery);
    if (nextAttemptAt !== undefined) return leases.end(delivery, { ...UNTRIED, nextAttemptAt });
    if (closing.aborted || leases.isOutdated(delivery)) return release(delivery);
    limits.begin(permit);
    const { sent, sendFurther } = await (interceptor?.send(delivery) ?? send(delivery));
    const hangs = limits.adapt(permit, { responded: 'status' in sent.result, ms: sent.ms });
    if (sent.result instanceof Unsigned) return postpone(delivery, sent.result, hangs);
    const made = [sent, ...((await sendFurther?.()) ?? [])];
    const best = made.find(({ result }) => isDelivered(result)) ?? (made.at(-1) as SentMessage);
    // Without a response, this side may have ended the attempt.
    if (closing.aborted && !('status' in best.result)) return release(delivery, hangs);
    return record(delivery, best, made, hangs);
  }

  async function send(delivery: Delivery): Promise<InterceptedAttempt> {
    return { sent: await sendMessage({ ...delivery, id: toEventId(delivery) }) };
  }

  async function record(
    delivery: Delivery,
    { result, ms, traced }: SentMessage,
    made: readonly SentMessage[],
    hangs: boolean | undefined,
  ): Promise<void> {
    const { id, merchantId, transactionId, createdAt } = delivery;
    const { now } = time.at(merchantId);
    const attempt = delivery.attempts + 1;
    const { outcome, nextAt } = limitResend(
      delivery,
      judgeAttempt(result, attempt, now, ids.fraction('jitter', id, attempt)),
    );
    const lastResult = describeResult(result);
    const isOwn = await leases.end(delivery, {
      tried: true,
      result: lastResult,
      deliveredAt: outcome === 'delivered' ? now : undefined,
      nextAt: undefined,
      nextAttemptAt: nextAt,
      stopsUrl: outcome === 'stopped',
      hangs,
      attempts: made.map(toLoggedAttempt),
      exchanges: keepExchanges ? made.map(toAttemptRecord) : undefined,
    });
    const fields = { ...describe(delivery), attempt, ...(isOwn && { outcome }), result: lastResult, ms, ...traced };
    if (!isOwn) {
      log?.warn(fields, 'result dropped, since another process has taken over the webhook');
      return;
    }
    const detail = 'detail' in result ? result.detail : undefined;
    if (outcome !== 'delivered') log?.warn({ ...fields, detail }, 'webhook not delivered');
    const eventId = toEventId(delivery);
    onAttempt?.({ eventId, merchantId, transactionId, outcome, attempt, ms, sinceEventMs: now - createdAt });
  }

  return attempt;
}

/** Returns a function for events that couldn't be signed, which isn't their endpoints' fault: they wait. */
function createPostpone(
  { clock, time }: Pick<DeliveryServices, 'clock' | 'time'>,
  { log, onUnsigned }: Pick<AttemptOptions, 'log' | 'onUnsigned'>,
  leases: Leases,
) {
  /** By merchant. All of its events are retried each minute, and one line says it. */
  const warnedUntil = new Map<number, number>();
  return async (delivery: Delivery, { failure: result }: Unsigned, hangs: boolean | undefined): Promise<void> => {
    const { merchantId } = delivery;
    const nextAttemptAt = time.at(merchantId).now + UNSIGNED_PAUSE_MS;
    await leases.end(delivery, { ...UNTRIED, result, nextAttemptAt, hangs });
    onUnsigned?.();
    const now = clock.now();
    if (now < (warnedUntil.get(merchantId) ?? now)) return;
    warnedUntil.set(merchantId, now + UNSIGNED_PAUSE_MS);
    log?.warn({ ...describe(delivery), outcome: 'unsigned', result }, 'webhooks of the merchant wait');
  };
}

/** For the log. Neither the body nor the whole URL: they hold personal data and secrets of the merchant. */
function describe({ id, transactionId, merchantId, address }: Delivery) {
  return { event_id: id, transaction_id: transactionId, merchant_id: merchantId, address };
}

/** A resend is attempted once. */
function limitResend({ resendOf }: Delivery, verdict: AttemptVerdict): AttemptVerdict {
  const isLast = verdict.outcome === 'retried' && resendOf !== undefined;
  return isLast ? { outcome: 'given_up', nextAt: undefined } : verdict;
}
