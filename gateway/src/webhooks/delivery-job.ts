/**
 * Delivers webhooks: finds due events, claims them, attempts them, and records the results. Delivery is at least once:
 * an attempt without a recorded result is repeated. A 410 stops the merchant's URL: its waiting events are stopped at
 * once, and later ones when they are due. `stopped_urls` and the events' `last_result` show this.
 */

import type { Bundle } from '../../../contract/src/model.ts';
import type { ReportFailure } from '../platform/log.ts';
import { systemTimers, type Timers } from '../platform/timers.ts';
import { type DispatchWorker, type Job, startWorker, type Worker, type WorkerPermit } from '../platform/worker.ts';
import { AddressLimits, type Permit } from './address-limits.ts';
import { type AttemptOptions, createAttempt } from './attempt.ts';
import { type AttemptRecord, BODY_CHARS_KEPT } from './attempt-log.ts';
import type { DeliveryInterceptor, InterceptorParts } from './delivery-interceptor.ts';
import { DueEventFinder } from './due-events.ts';
import { Leases } from './leases.ts';
import { type AddressedMessage, createSendMessage, toAttemptRecord } from './message.ts';
import { type Delivery, toAddress } from './outbox.ts';
import { ANSWER_WITHIN_MS } from './retries.ts';
import type { DeliveryServices, OpenSender } from './sender.ts';
import { createKeyCache, createSign } from './signer.ts';

export interface DeliveryOptions extends AttemptOptions {
  readonly bundle: Bundle;
  /** Maximum concurrent attempts per merchant and address, and at all prompt addresses. */
  readonly perAddress?: number;
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
/** A response within this fraction of the time allowed is prompt. */
const PROMPT_PART = 1 / 5;
const PER_ADDRESS = 64;
const TOTAL = 256;

/** A delivery with the right to attempt it. */
interface PermittedDelivery {
  readonly delivery: Delivery;
  readonly permit: Permit;
}

export interface Deliveries extends Worker {
  /** Starts a poll for events that have just been written. `wake` also finds those whose due time has long passed. */
  wakeForNew(): void;
  /** Reserves capacity for a webhook to a URL, if its address is prompt and has any. */
  reserve(merchantId: number, url: string): WorkerPermit<Delivery> | undefined;
  isClaimed(eventId: string): boolean;
  /** Signs and sends a message immediately, whatever the limits are. */
  sendNow(message: AddressedMessage): Promise<AttemptRecord>;
  /** Reloads the merchant's secrets before the next delivery. */
  forgetKeys(merchantId: number): void;
}

/** Controls of the delivery for other features. */
export type DeliveryControls = Pick<Deliveries, 'sendNow' | 'forgetKeys'>;

/** Starts the delivery. Calls `report` with failures of this side. */
export function startDeliveries(
  services: Pick<DeliveryServices, 'store' | 'clock' | 'time' | 'ids' | 'tracer'>,
  options: DeliveryOptions,
  report: ReportFailure,
): Deliveries {
  const { clock } = services;
  const { answerWithinMs = ANSWER_WITHIN_MS, graceMs = 5_000, timers = systemTimers } = options;
  const { bundle, keepExchanges = false, perAddress = PER_ADDRESS, total = TOTAL } = options;
  const bodyCharsKept = keepExchanges ? BODY_CHARS_KEPT : 0;
  const connections = options.openSender({ answerWithinMs, bodyCharsKept });
  const keys = createKeyCache(services.store, services.time);
  const sendMessage = createSendMessage(services, createSign(services.time, bundle, keys), connections.send, timers);
  const interceptor = options.interceptor?.({ ...services, bundle, keys, connections, timers });
  const now = () => clock.now();
  const leases = new Leases(services, report, timers);
  const limits = new AddressLimits({ perAddress, total, promptMs: answerWithinMs * PROMPT_PART }, now);
  const isClaimed = (id: string) => leases.has(id);
  const finder = new DueEventFinder({ read: services.store.read, now, limits, isClaimed, dueMax: perAddress, timers });
  const closing = new AbortController();
  const parts = { limits, leases, sendMessage, interceptor, closing: closing.signal };
  const attempt = createAttempt(services, options, parts);

  const worker = startWorker(createJob({ finder, leases, limits, attempt }), clock, report);

  function close(): void {
    // Records hanging addresses, so that they are known after a restart.
    limits.releaseLate();
    connections.close();
    leases.close();
  }

  return {
    ...worker,
    wakeForNew: worker.wake,
    wake() {
      finder.announcePast();
      worker.wake();
    },
    reserve: createReserve(limits, leases, worker),
    isClaimed,
    sendNow: async (message) => toAttemptRecord(await sendMessage(message)),
    forgetKeys: (merchantId) => keys.forget(merchantId),
    async stop() {
      const stopped = worker.stop();
      const cancelTimer = timers.after(graceMs, close);
      closing.abort();
      await stopped;
      cancelTimer();
      close();
    },
  };
}

interface JobParts {
  readonly finder: DueEventFinder;
  readonly leases: Leases;
  readonly limits: AddressLimits;
  readonly attempt: ReturnType<typeof createAttempt>;
}

function createJob({ finder, leases, limits, attempt }: JobParts): Job<PermittedDelivery> {
  return {
    name: 'webhooks',
    // The limits of addresses and merchants apply instead.
    concurrency: Number.POSITIVE_INFINITY,
    pollMs: POLL_MS,
    findDue: () => finder.acquireDue(),
    isHeldUp: () => finder.isHeldUp,
    async claim() {
      const permits = new Map(finder.takeAcquired().map(({ id, permit }) => [id, permit]));
      const claimed: PermittedDelivery[] = [];
      try {
        for (const delivery of await leases.claim([...permits.keys()])) {
          const permit = permits.get(delivery.id);
          if (permit && permits.delete(delivery.id)) claimed.push({ delivery, permit });
        }
      } finally {
        // Another process has claimed these.
        for (const permit of permits.values()) limits.end(permit);
      }
      return claimed;
    },
    async work({ delivery, permit }) {
      try {
        await attempt(delivery, permit);
      } finally {
        leases.drop(delivery);
        limits.end(permit);
      }
    },
    describe: ({ delivery }) => ({ event_id: delivery.id, transaction_id: delivery.transactionId }),
  };
}

function createReserve(
  limits: AddressLimits,
  leases: Leases,
  worker: DispatchWorker<PermittedDelivery>,
): Deliveries['reserve'] {
  return (merchantId, url) => {
    const address = { merchantId, address: toAddress(url) };
    if (limits.getHealth(address, false) !== 'prompt' || limits.room(address, 'prompt') <= 0) return undefined;
    const reserved = worker.reserve();
    if (!reserved) return undefined;
    const permit = limits.acquire(address, 'prompt');
    return {
      start(delivery) {
        leases.hold(delivery);
        reserved.start({ delivery, permit });
      },
      release() {
        limits.end(permit);
        reserved.release();
      },
    };
  };
}
