/**
 * Delivers webhooks: finds due events, claims them, attempts them, and records the results. Delivery is at least once:
 * an attempt without a recorded result is repeated. A 410 stops the endpoint: its event and all waiting ones for the
 * merchant's URL are abandoned, and later ones once they are due. `stopped_urls` and the events' `last_result` show
 * this.
 */

import type { Bundle } from '../../../contract/src/model.ts';
import { type KeyRing, NO_KEYS } from '../platform/key-ring.ts';
import type { ReportFailure } from '../platform/report.ts';
import { systemTimers, type Timers } from '../platform/timers.ts';
import { type HandOverWorker, type Job, startWorker, type Worker, type WorkerPermit } from '../platform/worker.ts';
import { type AttemptOptions, type ClaimedDelivery, createAttempt } from './attempt.ts';
import { Claims } from './claims.ts';
import type { DeliveryInterceptor, InterceptorParts } from './delivery-interceptor.ts';
import { DueDeliveryScanner } from './due-delivery-scanner.ts';
import { rememberKeys } from './keys.ts';
import { CLAIMED_AHEAD, Lanes } from './lanes.ts';
import { type AddressedMessage, createMessageSender, recordOf } from './message.ts';
import { addressOf, type Delivery } from './outbox.ts';
import { ANSWER_WITHIN_MS } from './retries.ts';
import type { OpenSender } from './sender.ts';
import type { DeliveryServices } from './services.ts';
import { createSigner } from './signer.ts';
import type { LaneName } from './waiting-lanes.ts';
import { type AttemptRecord, BODY_CHARS_KEPT } from './webhook-attempts.ts';

export interface DeliveryOptions extends AttemptOptions {
  readonly bundle: Bundle;
  /** Decrypt the signing secrets. */
  readonly secretKeys?: KeyRing;
  /** Maximum concurrent attempts per lane, and in all prompt lanes. */
  readonly perLane?: number;
  readonly total?: number;
  readonly answerWithinMs?: number;
  /** Milliseconds for attempts to finish after a stop before they are released. */
  readonly graceMs?: number;
  /** Makes the interceptor of deliveries. Without it, they are sent directly. */
  readonly interceptor?: ((parts: InterceptorParts) => DeliveryInterceptor) | undefined;
  /** Opens what carries webhooks to their endpoints. */
  readonly openSender: OpenSender;
  readonly timers?: Timers;
}

const POLL_MS = 500;
/** A response within this part of the time allowed is prompt. */
const PROMPT_PART = 5;

export interface Deliveries extends Worker {
  /** Reserves capacity for a webhook to a URL, if its lane has any. */
  reserve(merchantId: number, url: string): WorkerPermit<Delivery> | undefined;
  /** Whether this process has claimed the event. */
  isClaimed(eventId: string): boolean;
  /** Signs and sends a message immediately, bypassing all lanes. */
  sendNow(message: AddressedMessage): Promise<AttemptRecord>;
  /** Reloads the merchant's secrets before the next delivery. */
  forgetKeys(merchantId: number): void;
}

/** Starts the delivery. Calls `report` with failures of this side. */
export function startDeliveries(
  services: Pick<DeliveryServices, 'store' | 'clock' | 'time' | 'ids' | 'tracer'>,
  options: DeliveryOptions,
  report: ReportFailure,
): Deliveries {
  const { clock } = services;
  const { perLane = 8, total = 256, answerWithinMs = ANSWER_WITHIN_MS, graceMs = 5_000 } = options;
  const { timers = systemTimers } = options;
  const { bundle, secretKeys = NO_KEYS, keepExchanges = false } = options;
  const bodyCharsKept = keepExchanges ? BODY_CHARS_KEPT : 0;
  const connections = options.openSender({ answerWithinMs, keptPerAddress: perLane, bodyCharsKept });
  const keys = rememberKeys(services.store, services.time, secretKeys);
  const signer = createSigner(services.time, bundle, keys);
  const sender = createMessageSender(services, signer, connections.send, timers);
  const interceptor = options.interceptor?.({ ...services, bundle, secretKeys, keys, connections, timers });
  const claims = new Claims(services, report, timers);
  const lanes = new Lanes({ perLane, total, promptMs: answerWithinMs / PROMPT_PART }, () => clock.now());
  const look = new DueDeliveryScanner(services, lanes, claims, perLane * CLAIMED_AHEAD, timers);
  const closing = new AbortController();
  const attempt = createAttempt(services, options, { lanes, claims, sender, interceptor, closing: closing.signal });

  const job: Job<ClaimedDelivery> = {
    name: 'webhooks',
    // Lanes enforce the limits per merchant.
    concurrency: Number.POSITIVE_INFINITY,
    pollMs: POLL_MS,
    nextDue: () => look.nextDue(),
    isHeldUp: () => look.isHeldUp,
    async claim() {
      const tickets = new Map(look.take().map(({ id, ticket }) => [id, ticket]));
      const claimed: ClaimedDelivery[] = [];
      try {
        for (const delivery of await claims.take([...tickets.keys()])) {
          const ticket = tickets.get(delivery.id);
          if (ticket && tickets.delete(delivery.id)) claimed.push({ delivery, ticket });
        }
      } finally {
        // Claimed by another process.
        for (const ticket of tickets.values()) lanes.end(ticket);
      }
      return claimed;
    },
    async work(claimed) {
      const { delivery, ticket } = claimed;
      try {
        await attempt(claimed);
      } finally {
        claims.drop(delivery);
        lanes.end(ticket);
      }
    },
    describe: ({ delivery }) => ({ event_id: delivery.id, transaction_id: delivery.transactionId }),
  };
  const worker = startWorker(job, clock, report);
  return {
    ...worker,
    reserve: (merchantId, url) => reserveIn(lanes, claims, worker, { merchantId, address: addressOf(url) }),
    isClaimed: (eventId) => claims.has(eventId),
    sendNow: async (message) => recordOf(await sender.send(message)),
    forgetKeys: (merchantId) => keys.forget(merchantId),
    async stop() {
      const stopped = worker.stop();
      const cancelTimer = timers.after(graceMs, close);
      closing.abort();
      lanes.clear();
      await stopped;
      cancelTimer();
      close();
    },
  };

  function close(): void {
    // Records a hanging lane, so that it is known as slow after a restart.
    lanes.sweep();
    connections.close();
    claims.close();
  }
}

/** Reserves capacity in a prompt lane. Deliveries of other lanes wait in the queue. */
function reserveIn(
  lanes: Lanes,
  claims: Claims,
  worker: HandOverWorker<ClaimedDelivery>,
  lane: LaneName,
): WorkerPermit<Delivery> | undefined {
  if (lanes.paceOf(lane, false) !== 'prompt' || !lanes.mayClaim(lane, 'prompt')) return undefined;
  const place = worker.reserve();
  if (!place) return undefined;
  const ticket = lanes.claim(lane, 'prompt');
  return {
    start: (delivery) => place.start({ delivery, ticket, unsure: !claims.keep(delivery) }),
    release() {
      lanes.end(ticket);
      place.release();
    },
  };
}
