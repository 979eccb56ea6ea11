/** What is done with a delivery that has been claimed, up to the end of its claim. */
import type { Services } from '../operations/operation.ts';
import type { Log } from '../platform/log.ts';
import { type Delivery, eventIdOf } from '../store/outbox.ts';
import type { Claims } from './claims.ts';
import type { DeliveryFaults, DeliveryPlan } from './faults.ts';
import type { Lanes, Ticket } from './lanes.ts';
import { type MessageSender, recordOf, type SentMessage } from './message.ts';
import { describeReply, isDelivered, judge, type Outcome, type Verdict } from './retries.ts';

export interface AttemptOptions {
  /** Called for every attempt, once it is written down. */
  readonly onAttempt?: (attempt: AttemptReport) => void;
  readonly log?: Pick<Log, 'warn'>;
  /** What goes wrong on purpose. */
  readonly faults?: DeliveryFaults | undefined;
  /** Writes down each attempt with the beginning of its response. */
  readonly keepAttempts?: boolean;
}

export interface AttemptReport {
  readonly eventId: string;
  readonly merchantId: number;
  readonly transactionId: string;
  readonly outcome: Outcome;
  /** 1 for the first. */
  readonly attempt: number;
  /** How long the attempt took. */
  readonly ms: number;
  /** From the event to the end of the attempt, in milliseconds of the clock. */
  readonly sinceEventMs: number;
}

/** A delivery with its place in its lane. */
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
  /** Aborted when the delivery is being stopped. */
  readonly closing: AbortSignal;
}

const UNTRIED = { tried: false, result: undefined, deliveredAt: undefined } as const;
const STOPPED = 'not sent: the endpoint has returned 410 before';

/** A function that brings a claimed delivery to the end of its claim, whatever that is. */
export function createAttempt(
  { clock, time, ids }: Pick<Services, 'clock' | 'time' | 'ids'>,
  { onAttempt, log, faults, keepAttempts = false }: AttemptOptions,
  { lanes, claims, sender, closing }: Parts,
): (claimed: ClaimedDelivery) => Promise<void> {
  /** Sends the delivery and writes down what came of it. Its lane is left as soon as that is known, before it is written. */
  async function sendInLane({ delivery, ticket }: ClaimedDelivery, plan: DeliveryPlan | undefined): Promise<void> {
    const message = { ...delivery, id: eventIdOf(delivery) };
    const first = await sender.send(message, plan?.faults);
    const hung = lanes.leave(ticket, { answered: 'status' in first.reply, ms: first.ms });
    const twice = plan?.faults.includes('duplicate') && first.headers;
    const made = twice ? [first, await sender.repeat(message, twice)] : [first];
    await plan?.onSent?.();
    const best = made.find(({ reply }) => isDelivered(reply)) ?? (made.at(-1) as SentMessage);
    // Without a response, this side may have ended the attempt.
    return closing.aborted && !('status' in best.reply) ? giveBack(delivery, hung) : record(delivery, best, made, hung);
  }

  async function record(
    delivery: Delivery,
    { reply, ms }: SentMessage,
    made: readonly SentMessage[],
    hung: boolean | undefined,
  ): Promise<void> {
    const { id, address, merchantId, transactionId, createdAt } = delivery;
    const { now, stored } = time.at(merchantId);
    const attempt = delivery.attempts + 1;
    const { outcome, nextAt } = verdictOn(delivery, judge(reply, attempt, now, ids.fraction('jitter', id, attempt)));
    const result = describeReply(reply);
    const deliveredAt = outcome === 'delivered' ? now : undefined;
    const stop = outcome === 'stopped' ? STOPPED : undefined;
    const next = nextAt === undefined ? undefined : stored(nextAt);
    const attempts = keepAttempts ? made.map(recordOf) : undefined;
    await claims.end(delivery, { tried: true, result, deliveredAt, nextAt: next }, { stop, hung, attempts });
    if (outcome !== 'delivered') {
      // Neither the body nor the whole URL: they hold personal data and secrets of the merchant.
      log?.warn(
        { event_id: id, transaction_id: transactionId, merchant_id: merchantId, address, attempt, outcome, result, ms },
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

  const giveBack = (delivery: Delivery, hung?: boolean, nextAt = clock.now()) =>
    claims.end(delivery, { ...UNTRIED, nextAt }, { hung });
  const giveUp = (delivery: Delivery) => claims.end(delivery, { ...UNTRIED, result: STOPPED, nextAt: undefined });

  return async ({ delivery, ticket, unsure }) => {
    if (unsure) return giveBack(delivery);
    if (claims.isStopped(delivery)) return giveUp(delivery);
    const plan = await faults?.planOf(delivery);
    if (plan?.waitUntil !== undefined) return giveBack(delivery, undefined, plan.waitUntil);
    if (closing.aborted || !(await lanes.enter(ticket))) return giveBack(delivery);
    if (claims.isStopped(delivery)) return giveUp(delivery);
    return sendInLane({ delivery, ticket }, plan);
  };
}

/** A resend is attempted once. */
function verdictOn({ resendOf }: Delivery, verdict: Verdict): Verdict {
  const again = verdict.outcome === 'retried' && resendOf !== undefined;
  return again ? { outcome: 'given_up', nextAt: undefined } : verdict;
}
