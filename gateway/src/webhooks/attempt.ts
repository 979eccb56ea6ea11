/** What is done with a delivery that has been claimed, up to the end of its claim. */
import type { Bundle } from '../../../contract/src/model.ts';
import type { Services } from '../operations/operation.ts';
import { type KeyRing, NO_KEYS, UndecryptableSecret } from '../platform/key-ring.ts';
import type { Log } from '../platform/log.ts';
import type { Delivery } from '../store/outbox.ts';
import type { Claims } from './claims.ts';
import type { Sender } from './deliver.ts';
import { rememberKeys } from './keys.ts';
import type { Lanes, Ticket } from './lanes.ts';
import { describeReply, judge, type Outcome, type Reply } from './retries.ts';
import { readWireFormat, signedHeaders } from './signature.ts';

export interface AttemptOptions {
  readonly bundle: Bundle;
  /** Decrypt the signing secrets. */
  readonly secretKeys?: KeyRing;
  /** Called for every attempt, once it is written down. */
  readonly onAttempt?: (attempt: AttemptReport) => void;
  readonly log?: Pick<Log, 'warn'>;
}

export interface AttemptReport {
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
}

interface Parts {
  readonly lanes: Lanes;
  readonly claims: Claims;
  readonly send: Sender['send'];
  /** Aborted when the delivery is being stopped. */
  readonly closing: AbortSignal;
}

const UNTRIED = { tried: false, result: undefined, deliveredAt: undefined } as const;
const STOPPED = 'not sent: the endpoint has returned 410 before';

/** A function that brings a claimed delivery to the end of its claim, whatever that is. */
export function createAttempt(
  { store, clock, time, ids }: Pick<Services, 'store' | 'clock' | 'time' | 'ids'>,
  { bundle, secretKeys = NO_KEYS, onAttempt, log }: AttemptOptions,
  { lanes, claims, send, closing }: Parts,
): (claimed: ClaimedDelivery) => Promise<void> {
  const format = readWireFormat(bundle);
  const keysOf = rememberKeys(store, clock, secretKeys);

  async function sendSigned({ id, merchantId, url, body }: Delivery): Promise<Reply> {
    try {
      const keys = await keysOf(merchantId);
      if (keys.length === 0) return { failure: 'not sent: the merchant has no signing secret' };
      const timestamp = Math.floor(time.at(merchantId).now / 1_000);
      return send(url, signedHeaders(format, { id, timestamp, body }, keys), body);
    } catch (error) {
      if (error instanceof UndecryptableSecret) return { failure: `not sent: ${error.message}` };
      throw error;
    }
  }

  /** Sends the delivery and writes down what came of it. Its lane is left as soon as that is known, before it is written. */
  async function sendInLane({ delivery, ticket }: ClaimedDelivery): Promise<void> {
    const began = performance.now();
    const reply = await sendSigned(delivery);
    const ms = Math.round(performance.now() - began);
    const answered = 'status' in reply;
    const hung = lanes.leave(ticket, { answered, ms });
    // Without a response, this side may have ended the attempt.
    return closing.aborted && !answered ? giveBack(delivery, hung) : record(delivery, reply, ms, hung);
  }

  async function record(delivery: Delivery, reply: Reply, ms: number, hung: boolean | undefined): Promise<void> {
    const { id, address, merchantId, transactionId, createdAt } = delivery;
    const { now, stored } = time.at(merchantId);
    const attempt = delivery.attempts + 1;
    const { outcome, nextAt } = judge(reply, attempt, now, ids.fraction('jitter', id, attempt));
    const result = describeReply(reply);
    const deliveredAt = outcome === 'delivered' ? now : undefined;
    const stop = outcome === 'stopped' ? STOPPED : undefined;
    const next = nextAt === undefined ? undefined : stored(nextAt);
    await claims.end(delivery, { tried: true, result, deliveredAt, nextAt: next }, { stop, hung });
    if (outcome !== 'delivered') {
      // Neither the body nor the whole URL: they hold personal data and secrets of the merchant.
      log?.warn(
        { event_id: id, transaction_id: transactionId, merchant_id: merchantId, address, attempt, outcome, result, ms },
        'webhook not delivered',
      );
    }
    onAttempt?.({ outcome, attempt, ms, sinceEventMs: now - createdAt });
  }

  const giveBack = (delivery: Delivery, hung?: boolean) =>
    claims.end(delivery, { ...UNTRIED, nextAt: clock.now() }, { hung });
  const giveUp = (delivery: Delivery) => claims.end(delivery, { ...UNTRIED, result: STOPPED, nextAt: undefined });

  return async ({ delivery, ticket }) => {
    if (claims.isStopped(delivery)) return giveUp(delivery);
    if (closing.aborted || !(await lanes.enter(ticket))) return giveBack(delivery);
    if (claims.isStopped(delivery)) return giveUp(delivery);
    return sendInLane({ delivery, ticket });
  };
}
