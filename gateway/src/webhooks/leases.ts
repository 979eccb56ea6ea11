/**
 * Leases of the events that this process delivers. A lease lasts a few seconds and is renewed until the attempt ends, so
 * that another process soon takes over after a crash. Outcomes and renewals are written in batches: each unit of work
 * takes everything that arrived during the previous one.
 */

import type { Database } from '../database/store.ts';
import type { ConversionOf, MerchantTime } from '../platform/merchant-time.ts';
import { systemTimers, type Timers } from '../platform/timers.ts';
import { type AttemptRecord, appendToLogs, type LoggedAttempt, logEntries, recordAttempts } from './attempt-log.ts';
import { recordHanging } from './hanging-addresses.ts';
import {
  type Claim,
  type ClaimEnd,
  claimDeliveries,
  DELIVERY_CLAIM_MS,
  type Delivery,
  endClaims,
  renewClaims,
  toEventId,
} from './outbox.ts';
import { endResends } from './resends.ts';
import type { DeliveryServices } from './sender.ts';
import { stopUrl } from './stopped-urls.ts';

const RENEWED_EVERY_MS = 1_500;
/** Maximum outcomes per unit of work. */
const BATCH_MAX = 256;

export interface Outcome extends Omit<ClaimEnd, keyof Claim | 'log'> {
  /** The merchant's time of the next attempt. Instead of `nextAt`, which is the store's. */
  readonly nextAttemptAt?: number | undefined;
  /** The endpoint asked for no more events. */
  readonly stopsUrl?: boolean;
  /** Whether the address hangs, if that changed. */
  readonly hangs?: boolean | undefined;
  /** The attempts, for the log of the event. */
  readonly attempts?: readonly LoggedAttempt[];
  /** The attempts with headers and bodies, if they are kept. */
  readonly exchanges?: readonly AttemptRecord[] | undefined;
}

interface PendingOutcome extends Outcome {
  readonly delivery: Delivery;
  readonly resolve: (isWritten: boolean) => void;
}

/** A URL that this process has stopped. */
interface RecentStop {
  readonly merchantId: number;
  readonly url: string;
  /** By the clock; infinite until it is written. */
  writtenAt: number;
}

const NONE: ReadonlySet<RecentStop> = new Set();

type Services = Pick<DeliveryServices, 'store' | 'clock'> & { readonly time: Pick<MerchantTime, 'holdClocks'> };

export class Leases {
  readonly #services: Services;
  readonly #report: (error: unknown) => void;
  readonly #timers: Timers;
  readonly #held = new Map<string, Delivery>();
  /** Deliveries whose URL was stopped after they had been claimed. */
  readonly #outdated = new WeakSet<Delivery>();
  #recentStops: RecentStop[] = [];
  readonly #closing = new AbortController();
  #pending: PendingOutcome[] = [];
  #isRenewalDue = false;
  #isWriting = false;

  /** Calls `report` when something could not be written; the leases then expire. */
  constructor(services: Services, report: (error: unknown) => void, timers = systemTimers) {
    this.#services = services;
    this.#report = report;
    this.#timers = timers;
    this.#renew();
  }

  /** Whether this process still has the delivery, even if its lease has expired. */
  has(id: string): boolean {
    return this.#held.has(id);
  }

  /** Claims the unclaimed deliveries among these. */
  async claim(ids: readonly string[]): Promise<Delivery[]> {
    const { store, clock } = this.#services;
    const known = new Set(this.#recentStops.filter(({ writtenAt }) => writtenAt !== Infinity));
    const claimed = await store.unit((db) => {
      const now = clock.now();
      return claimDeliveries(db, ids, now, now + DELIVERY_CLAIM_MS);
    });
    for (const delivery of claimed) this.hold(delivery, known);
    return claimed;
  }

  /** Accepts a delivery that was written with a lease. `known` are the stops that its `stopped` is sure to include. */
  hold(delivery: Delivery, known: ReadonlySet<RecentStop> = NONE): void {
    this.#held.set(delivery.id, delivery);
    if (this.#recentStops.some((stop) => !known.has(stop) && hasSameUrl(stop, delivery))) this.#outdated.add(delivery);
  }

  /** Whether the delivery must be claimed again to find out if its URL is stopped. */
  isOutdated(delivery: Delivery): boolean {
    return this.#outdated.has(delivery);
  }

  /**
   * Ends a lease and writes its outcome. Resolves after the commit or a reported failure, to false if another process has
   * claimed the delivery since. Then only attempts and the state of the address are written.
   */
  end(delivery: Delivery, outcome: Outcome): Promise<boolean> {
    if (outcome.stopsUrl) {
      this.#recentStops.push({ merchantId: delivery.merchantId, url: delivery.url, writtenAt: Infinity });
      for (const held of this.#held.values()) if (hasSameUrl(delivery, held)) this.#outdated.add(held);
    }
    return new Promise((resolve) => {
      this.#pending.push({ ...outcome, delivery, resolve });
      this.#write();
    });
  }

  /** Forgets a lease whose outcome could not be written; it expires. */
  drop({ id }: Delivery): void {
    this.#held.delete(id);
  }

  /** Stops renewals. */
  close(): void {
    this.#closing.abort();
  }

  async #renew(): Promise<void> {
    const { clock } = this.#services;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await clock.until(clock.now() + RENEWED_EVERY_MS, signal);
      this.#isRenewalDue = this.#held.size > 0;
      this.#write();
    }
  }

  async #write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    // Attempts that end in the same turn of the event loop are written together.
    await new Promise<void>((resolve) => this.#timers.nextTurn(resolve));
    while (this.#pending.length > 0 || this.#isRenewalDue) {
      const outcomes = this.#pending.splice(0, BATCH_MAX);
      const ending = new Set(outcomes.map(({ delivery }) => delivery.id));
      const renewed = this.#isRenewalDue ? [...this.#held.values()].filter(({ id }) => !ending.has(id)) : [];
      this.#isRenewalDue = false;
      const ended = await this.#writeUnit(outcomes, renewed).catch((error: unknown) => {
        this.#report(error);
        return undefined;
      });
      this.#recordStops(outcomes);
      for (const { delivery, resolve } of outcomes) {
        this.drop(delivery);
        resolve(ended?.has(delivery.id) ?? true);
      }
    }
    this.#isWriting = false;
  }

  /** Notes when stops were written. Units of work that don't see them have ended a lease later. */
  #recordStops(outcomes: readonly PendingOutcome[]): void {
    const now = this.#services.clock.now();
    for (const { delivery, stopsUrl } of outcomes)
      if (stopsUrl) for (const stop of this.#recentStops) if (hasSameUrl(stop, delivery)) stop.writtenAt = now;
    this.#recentStops = this.#recentStops.filter(({ writtenAt }) => writtenAt > now - DELIVERY_CLAIM_MS);
  }

  /** Returns the ids of deliveries that this process still had. */
  #writeUnit(outcomes: readonly PendingOutcome[], renewed: readonly Claim[]): Promise<ReadonlySet<string>> {
    const { store, clock, time } = this.#services;
    const work = async (db: Database, conversionOf: ConversionOf) => {
      const now = clock.now();
      const ends = outcomes.map((outcome) => toClaimEnd(outcome, conversionOf));
      await renewClaims(db, renewed, now + DELIVERY_CLAIM_MS);
      const ended = await endClaims(db, ends);
      const own = outcomes.filter(({ delivery }) => ended.has(delivery.id));
      await appendToLogs(
        db,
        outcomes.filter(({ delivery }) => !ended.has(delivery.id) || isResend(delivery)).flatMap(toLog),
      );
      await recordAttempts(db, outcomes.flatMap(toExchanges));
      await endResends(
        db,
        own.filter(({ delivery, nextAt, nextAttemptAt }) => isResend(delivery) && !(nextAt ?? nextAttemptAt)),
      );
      await recordHanging(db, outcomes.flatMap(toHanging), now);
      for (const { delivery, stopsUrl } of own) {
        const { merchantId, url } = delivery;
        if (stopsUrl) await stopUrl(db, { merchantId, url, eventId: toEventId(delivery), stoppedAt: now });
      }
      return ended;
    };
    const paused = outcomes.filter(({ nextAttemptAt }) => nextAttemptAt !== undefined);
    return time.holdClocks([...new Set(paused.map(({ delivery }) => delivery.merchantId))], (conversionOf) =>
      store.unit((db) => work(db, conversionOf), { together: [] }),
    );
  }
}

/** The end of a claim in the store's time. */
function toClaimEnd(outcome: PendingOutcome, conversionOf: ConversionOf): ClaimEnd {
  const { delivery, nextAttemptAt, tried, result, deliveredAt, attempts = [] } = outcome;
  const { id, claim, merchantId } = delivery;
  const log = isResend(delivery) ? undefined : logEntries(attempts);
  const nextAt = nextAttemptAt === undefined ? outcome.nextAt : conversionOf(merchantId)(nextAttemptAt);
  return { id, claim, tried, result, deliveredAt, nextAt, log };
}

function hasSameUrl(a: Pick<Delivery, 'merchantId' | 'url'>, b: Pick<Delivery, 'merchantId' | 'url'>): boolean {
  return a.merchantId === b.merchantId && a.url === b.url;
}

function isResend({ resendOf }: Delivery): boolean {
  return resendOf !== undefined;
}

function toLog({ delivery, attempts = [] }: PendingOutcome) {
  const entries = logEntries(attempts);
  return entries === undefined ? [] : [{ eventId: toEventId(delivery), entries }];
}

function toExchanges({ delivery, exchanges = [] }: PendingOutcome) {
  return exchanges.length > 0 ? [{ eventId: toEventId(delivery), attempts: exchanges }] : [];
}

function toHanging({ delivery: { merchantId, address }, hangs }: PendingOutcome) {
  return hangs === undefined ? [] : [{ merchantId, address, hangs }];
}
