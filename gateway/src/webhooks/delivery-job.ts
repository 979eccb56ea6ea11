/**
 * The delivery of webhooks: looks for what is due, claims it, attempts it, and writes down how that went.
 * Every event is delivered at least once: an attempt whose result could not be written is made again.
 * An endpoint that answers 410 is stopped: its event and all that wait for the same URL of the merchant are given up,
 * and later ones as soon as they are due. `stopped_urls` and the events' `last_result` show it.
 */

import { type Job, type Report, startWorker, type Worker } from '../jobs/worker.ts';
import type { Services } from '../operations/operation.ts';
import { type Delivery, waitingAddresses } from '../store/outbox.ts';
import { type AttemptOptions, createAttempt } from './attempt.ts';
import { Claims } from './claims.ts';
import { createSender } from './deliver.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { CLAIMED_AHEAD, Lanes } from './lanes.ts';
import { ANSWER_WITHIN_MS } from './retries.ts';

export interface DeliveryOptions extends AttemptOptions, GuardOptions {
  /** Attempts at a time to one address, and to all. */
  readonly perAddress?: number;
  readonly total?: number;
  readonly answerWithinMs?: number;
  /** How long attempts that are under way may go on when the delivery is stopped; then they are given back. */
  readonly graceMs?: number;
}

/** Addresses in one look at the store. */
const LOOK_MAX = 256;
const POLL_MS = 500;
/** A pause after a look at the store, as a multiple of the time that the look took, up to a limit. */
const REST_PART = 9;
const REST_MAX_MS = 1_000;
/** An answer within this part of the time allowed is prompt. */
const PROMPT_PART = 3;

/** Starts the delivery. `report` is told of what goes wrong on this side. */
export function startDeliveries(
  services: Pick<Services, 'store' | 'clock'>,
  options: DeliveryOptions,
  report: Report,
): Worker {
  const { store, clock } = services;
  const { perAddress = 8, total = 256, answerWithinMs = ANSWER_WITHIN_MS, graceMs = 5_000 } = options;
  const sender = createSender({ guard: createGuard(options), answerWithinMs, connectionsPerAddress: perAddress });
  const claims = new Claims(store, clock, report);
  const lanes = new Lanes({ perAddress, total });
  const concurrency = total * CLAIMED_AHEAD;
  const look = createLook(services, lanes, claims, { dueMax: perAddress * CLAIMED_AHEAD, concurrency });
  const closing = new AbortController();
  const attempt = createAttempt(services, options, {
    lanes,
    claims,
    send: sender.send,
    promptMs: answerWithinMs / PROMPT_PART,
    closing: closing.signal,
  });

  const job: Job<Delivery> = {
    name: 'webhooks',
    concurrency,
    pollMs: POLL_MS,
    nextDue: look.nextDue,
    async claim(limit) {
      const taken = await claims.take(look.found().slice(0, limit));
      for (const { address } of taken) lanes.claim(address);
      return taken;
    },
    async work(delivery) {
      try {
        await attempt(delivery);
      } finally {
        claims.drop(delivery);
        lanes.end(delivery.address);
      }
    },
  };
  const worker = startWorker(job, clock, report);
  return {
    ...worker,
    async stop() {
      const stopped = worker.stop();
      const late = setTimeout(close, graceMs);
      closing.abort();
      lanes.clear();
      await stopped;
      clearTimeout(late);
      close();
    },
  };

  function close(): void {
    sender.close();
    claims.close();
  }
}

interface Look {
  /** When the next delivery is due that may be claimed. Remembers what it has found to be due. */
  nextDue(): Promise<number | undefined>;
  /** What the last look has found. */
  found(): readonly string[];
}

/** Goes round the addresses, beginning each time where the last look has stopped. */
function createLook(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  lanes: Lanes,
  claims: Claims,
  { dueMax, concurrency }: { dueMax: number; concurrency: number },
): Look {
  const rest = createRest();
  let found: string[] = [];
  let cursor = '';

  async function goRound(now: number, space: number): Promise<number | undefined> {
    const seen = new Set<string>();
    let slowFound = 0;
    let next: number | undefined;
    for (let wrapped = cursor === ''; found.length < space; ) {
      const waiting = await rest(() => waitingAddresses(store.read, { now, after: cursor, limit: LOOK_MAX, dueMax }));
      for (const { address, nextAt, due } of waiting) {
        if (seen.has(address)) return next;
        seen.add(address);
        cursor = address;
        const room = lanes.room(address, slowFound);
        const some = due.filter((id) => !claims.has(id)).slice(0, room);
        if (lanes.isSlow(address)) slowFound += some.length;
        found.push(...some);
        if (found.length >= space) return next;
        if (nextAt > now && room > 0) next = Math.min(nextAt, next ?? nextAt);
      }
      if (waiting.length === LOOK_MAX) continue;
      cursor = '';
      if (wrapped) return next;
      wrapped = true;
    }
    return next;
  }

  return {
    found: () => found,
    async nextDue() {
      found = [];
      const now = clock.now();
      const next = await goRound(now, concurrency - claims.size);
      return found.length > 0 ? now : next;
    },
  };
}

/** Runs what it is given with pauses between that are in proportion, so that looking never takes up most of the time. */
function createRest(): <T>(work: () => Promise<T>) => Promise<T> {
  let until = 0;
  return async (work) => {
    const pause = until - performance.now();
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    const began = performance.now();
    const value = await work();
    const ended = performance.now();
    until = ended + Math.min(REST_PART * (ended - began), REST_MAX_MS);
    return value;
  };
}
