/** Attempts a claimed delivery, and ends its claim. */

import type { Log } from '../platform/log.ts';
import type { Claims, DeliveryPause } from './claims.ts';
import type { DeliveryInterceptor, InterceptedAttempt } from './delivery-interceptor.ts';
import type { Lanes, Ticket } from './lanes.ts';
import { URL_STOPPED } from './merchant-events.ts';
import { loggedAttempt, type MessageSender, recordOf, type SentMessage } from './message.ts';
import { type Delivery, eventIdOf } from './outbox.ts';
import {
  type AttemptOutcome,
  type AttemptVerdict,
  describeResult,
  isDelivered,
  judgeAttempt,
  UNSIGNED_PAUSE_MS,
} from './retries.ts';
import type { DeliveryServices } from './services.ts';
import { Unsigned } from './signer.ts';

export interface AttemptOptions {
  /** Called for every attempt, once it is written down. */
  readonly onAttempt?: (attempt: AttemptReport) => void;
  /** Called when an event waits, since it can't be signed. */
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
  /** Duration of the attempt. */
  readonly ms: number;
  /** From the event to the end of the attempt, in milliseconds of the clock. */
  readonly sinceEventMs: number;
}

/** A delivery with its entry in a lane. */
export interface ClaimedDelivery {
  readonly delivery: Delivery;
  readonly ticket: Ticket;
  /** Whether it goes back unattempted, to be claimed again. */
  readonly unsure?: boolean;
}

interface Parts {
  readonly lanes: Lanes;
  readonly claims: Claims;
  readonly sender: MessageSender;
  readonly interceptor: DeliveryInterceptor | undefined;
  /** Aborted when the delivery is being stopped. */
  readonly closing: AbortSignal;
}

const UNTRIED = { tried: false, result: undefined, deliveredAt: undefined } as const;

/** Processes a claimed delivery until its claim ends. */
export function createAttempt(
  { clock, time, ids }: Pick<DeliveryServices, 'clock' | 'time' | 'ids'>,
  options: AttemptOptions,
  { lanes, claims, sender, interceptor, closing }: Parts,
): (claimed: ClaimedDelivery) => Promise<unknown> {
  const { onAttempt, log, keepExchanges = false } = options;
  const keep = createKeeper({ clock, time }, options, claims);

  /** Sends the delivery and records the result. Leaves the lane as soon as the result is known. */
  async function sendInLane({ delivery, ticket }: ClaimedDelivery): Promise<unknown> {
    const { sent, sendFurther } = await (interceptor?.send(delivery) ?? send(delivery));
    const hung = lanes.leave(ticket, { answered: 'status' in sent.result, ms: sent.ms });
    if (sent.result instanceof Unsigned) return keep(delivery, sent.result, hung);
    const made = [sent, ...((await sendFurther?.()) ?? [])];
    const best = made.find(({ result }) => isDelivered(result)) ?? (made.at(-1) as SentMessage);
    // Without a response, this side may have ended the attempt.
    return closing.aborted && !('status' in best.result)
      ? giveBack(delivery, hung)
      : record(delivery, best, made, hung);
  }

  async function send(delivery: Delivery): Promise<InterceptedAttempt> {
    return { sent: await sender.send({ ...delivery, id: eventIdOf(delivery) }) };
  }

  async function record(
    delivery: Delivery,
    { result, ms, traced }: SentMessage,
    made: readonly SentMessage[],
    hung: boolean | undefined,
  ): Promise<void> {
    const { id, merchantId, transactionId, createdAt } = delivery;
    const { now } = time.at(merchantId);
    const attempt = delivery.attempts + 1;
    const random = ids.fraction('jitter', id, attempt);
    const { outcome, nextAt } = verdictOn(delivery, judgeAttempt(result, attempt, now, random));
    const lastResult = describeResult(result);
    const deliveredAt = outcome === 'delivered' ? now : undefined;
    const stop = outcome === 'stopped' ? URL_STOPPED : undefined;
    const exchanges = keepExchanges ? made.map(recordOf) : undefined;
    const isOwn = await claims.end(
      delivery,
      { tried: true, result: lastResult, deliveredAt, nextAt: undefined, pause: pauseUntil(nextAt, now) },
      { stop, hung, attempts: made.map(loggedAttempt), exchanges },
    );
    if (!isOwn) {
      log?.warn(
        { ...describe(delivery), attempt, result: lastResult, ms, ...traced },
        'result dropped, since another process has taken over the webhook',
      );
      return;
    }
    if (outcome !== 'delivered') {
      const detail = 'detail' in result ? result.detail : undefined;
      log?.warn(
        { ...describe(delivery), attempt, outcome, result: lastResult, detail, ms, ...traced },
        'webhook not delivered',
      );
    }
    onAttempt?.({
      eventId: eventIdOf(delivery),
      merchantId,
      transactionId,
      outcome,
      attempt,
      ms,
      sinceEventMs: now - createdAt,
    });
  }

  const giveBack = (delivery: Delivery, hung?: boolean) =>
    claims.end(delivery, { ...UNTRIED, nextAt: clock.now() }, { hung });
  const postpone = (delivery: Delivery, until: number) =>
    claims.end(delivery, { ...UNTRIED, nextAt: undefined, pause: pauseUntil(until, time.at(delivery.merchantId).now) });
  const giveUp = (delivery: Delivery) => claims.end(delivery, { ...UNTRIED, result: URL_STOPPED, nextAt: undefined });

  async function bring({ delivery, ticket, unsure }: ClaimedDelivery): Promise<unknown> {
    if (unsure) return giveBack(delivery);
    if (claims.isStopped(delivery)) return giveUp(delivery);
    const held = await interceptor?.heldUntil(delivery);
    if (held !== undefined) return postpone(delivery, held);
    if (closing.aborted || !(await lanes.enter(ticket))) return giveBack(delivery);
    if (claims.isStopped(delivery)) return giveUp(delivery);
    return sendInLane({ delivery, ticket });
  }
  return bring;
}

/** A function for events that couldn't be signed, which isn't their endpoints' fault: they wait. */
function createKeeper(
  { clock, time }: Pick<DeliveryServices, 'clock' | 'time'>,
  { log, onUnsigned }: Pick<AttemptOptions, 'log' | 'onUnsigned'>,
  claims: Claims,
) {
  /** By merchant. All of its events are taken up again each minute, and one line says it. */
  const warnedUntil = new Map<number, number>();
  return async (delivery: Delivery, { failure: result }: Unsigned, hung: boolean | undefined): Promise<void> => {
    const { merchantId } = delivery;
    const { now: decidedAt } = time.at(merchantId);
    const pause = pauseUntil(decidedAt + UNSIGNED_PAUSE_MS, decidedAt);
    await claims.end(delivery, { ...UNTRIED, result, nextAt: undefined, pause }, { hung });
    onUnsigned?.();
    const now = clock.now();
    if (now < (warnedUntil.get(merchantId) ?? now)) return;
    warnedUntil.set(merchantId, now + UNSIGNED_PAUSE_MS);
    log?.warn({ ...describe(delivery), outcome: 'unsigned', result }, 'webhooks of the merchant wait');
  };
}

function pauseUntil(until: number | undefined, decidedAt: number): DeliveryPause | undefined {
  return until === undefined ? undefined : { until, decidedAt };
}

/** For the log. Neither the body nor the whole URL: they hold personal data and secrets of the merchant. */
function describe({ id, transactionId, merchantId, address }: Delivery) {
  return { event_id: id, transaction_id: transactionId, merchant_id: merchantId, address };
}

/** A resend is attempted once. */
function verdictOn({ resendOf }: Delivery, verdict: AttemptVerdict): AttemptVerdict {
  const again = verdict.outcome === 'retried' && resendOf !== undefined;
  return again ? { outcome: 'given_up', nextAt: undefined } : verdict;
}
