/**
 * Deliveries claimed by this process. A claim is a lease of a few seconds, renewed while the delivery is in flight, so
 * that another process soon takes over after a crash. Results and renewals are written in batches: each unit of work
 * takes everything that arrived during the previous one.
 */

import type { Database, Store } from '../database/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { MerchantTime } from '../platform/merchant-time.ts';
import { systemTimers, type Timers } from '../platform/timers.ts';
import { appendToLogs, type LoggedAttempt, logEntries } from './attempt-log.ts';
import {
  type Claim,
  type ClaimEnd,
  claimDeliveries,
  DELIVERY_CLAIM_MS,
  type Delivery,
  endClaims,
  eventIdOf,
  renewClaims,
  stopUrl,
} from './outbox.ts';
import { endResends } from './resends.ts';
import type { DeliveryServices } from './services.ts';
import { recordSlowLanes } from './waiting-lanes.ts';
import { type AttemptRecord, recordAttempts } from './webhook-attempts.ts';

const RENEWED_EVERY_MS = 1_500;
/** Maximum results per unit of work. */
const BATCH_MAX = 256;

/** Effects of the end of a claim on more than its delivery. */
export interface Consequences {
  /** The URL is stopped. This is the result of its abandoned deliveries. */
  readonly stop?: string | undefined;
  /** Whether the lane hangs, if that changed. */
  readonly hung?: boolean | undefined;
  /** The attempts, for the log of the event. */
  readonly attempts?: readonly LoggedAttempt[];
  /** The attempts with their headers and bodies, where these are kept. */
  readonly exchanges?: readonly AttemptRecord[] | undefined;
}

/** A pause before the next attempt, in the merchant's time. */
export interface DeliveryPause {
  readonly until: number;
  readonly decidedAt: number;
}

/** The end of a claim, with the pause that follows, if there is one. */
export interface DeliveryEnd extends Omit<ClaimEnd, keyof Claim | 'log'> {
  readonly pause?: DeliveryPause | undefined;
}

interface PendingEnd extends Consequences {
  readonly delivery: Delivery;
  readonly end: DeliveryEnd;
  readonly done: (isOwn: boolean) => void;
  /** By the clock; undefined until it is written. */
  writtenAt: number | undefined;
}

export class Claims {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #report: (error: unknown) => void;
  readonly #timers: Timers;
  readonly #time: Pick<MerchantTime, 'toStoreTimeIn'>;
  readonly #held = new Map<string, Delivery>();
  /** Those that must not be sent any more, since their URL was stopped after they had been claimed. */
  readonly #stopped = new Set<string>();
  /** Stops that a claim which is being made may not have seen in the store. */
  #stops: PendingEnd[] = [];
  readonly #closing = new AbortController();
  #endings: PendingEnd[] = [];
  #renewalDue = false;
  #writing = false;

  /** Calls `report` when something could not be written; the leases then expire. */
  constructor(
    {
      store,
      clock,
      time,
    }: Pick<DeliveryServices, 'store' | 'clock'> & { readonly time: Pick<MerchantTime, 'toStoreTimeIn'> },
    report: (error: unknown) => void,
    timers = systemTimers,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#time = time;
    this.#report = report;
    this.#timers = timers;
    this.#renew();
  }

  get size(): number {
    return this.#held.size;
  }

  /** Whether this process still has the delivery, even if its lease has expired. */
  has(id: string): boolean {
    return this.#held.has(id);
  }

  /** Claims the unclaimed deliveries among these. */
  async take(ids: readonly string[]): Promise<Delivery[]> {
    this.#forgetStops();
    const seen = new Set(this.#stops.filter(({ writtenAt }) => writtenAt !== undefined));
    const taken = await this.#store.unit((db) => {
      const now = this.#clock.now();
      return claimDeliveries(db, ids, now, now + DELIVERY_CLAIM_MS);
    });
    for (const delivery of taken) this.#held.set(delivery.id, delivery);
    for (const stop of this.#stops) if (!seen.has(stop)) this.#stop(stop.delivery);
    return taken;
  }

  /** Accepts a delivery that was written as claimed. Returns false if its URL may have been stopped. */
  keep(delivery: Delivery): boolean {
    this.#held.set(delivery.id, delivery);
    return !this.#stops.some((stop) => isOfUrl(stop.delivery, delivery));
  }

  /** Whether the URL takes no events any more. */
  isStopped({ id, stopped }: Delivery): boolean {
    return stopped || this.#stopped.has(id);
  }

  /**
   * Records the result of a claim. Resolves after the commit or a reported failure. Resolves to false if another
   * process has claimed the delivery; then only attempts and the lane are recorded.
   */
  end(delivery: Delivery, end: DeliveryEnd, consequences: Consequences = {}): Promise<boolean> {
    return new Promise((done) => {
      const ending: PendingEnd = { ...consequences, delivery, end, done, writtenAt: undefined };
      this.#endings.push(ending);
      if (consequences.stop !== undefined) {
        this.#stops.push(ending);
        this.#stop(delivery);
      }
      this.#write();
    });
  }

  /** Forgets a claim whose end could not be written; it expires. */
  drop({ id }: Delivery): void {
    this.#held.delete(id);
    this.#stopped.delete(id);
  }

  /** Stops renewals. */
  close(): void {
    this.#closing.abort();
  }

  /** Marks the deliveries held for the same URL, which are not sent any more. */
  #stop(stopped: Delivery): void {
    for (const held of this.#held.values()) if (isOfUrl(stopped, held)) this.#stopped.add(held.id);
  }

  /** Units of work that began before a stop was written have ended a lease later. */
  #forgetStops(): void {
    const before = this.#clock.now() - DELIVERY_CLAIM_MS;
    this.#stops = this.#stops.filter(({ writtenAt }) => writtenAt === undefined || writtenAt > before);
  }

  async #renew(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#clock.until(this.#clock.now() + RENEWED_EVERY_MS, signal);
      this.#renewalDue = this.#held.size > 0;
      this.#write();
    }
  }

  async #write(): Promise<void> {
    if (this.#writing) return;
    this.#writing = true;
    // Attempts that end in the same turn of the event loop are written together.
    await new Promise<void>((resolve) => this.#timers.nextTurn(resolve));
    while (this.#endings.length > 0 || this.#renewalDue) {
      const endings = this.#endings.splice(0, BATCH_MAX);
      const ending = new Set(endings.map(({ delivery }) => delivery.id));
      const renewed = this.#renewalDue ? [...this.#held.values()].filter(({ id }) => !ending.has(id)) : [];
      this.#renewalDue = false;
      const ended = await this.#writeUnit(endings, renewed).catch((error: unknown) => {
        this.#report(error);
        return undefined;
      });
      for (const ending of endings) {
        ending.writtenAt = this.#clock.now();
        this.drop(ending.delivery);
        ending.done(ended?.has(ending.delivery.id) ?? true);
      }
    }
    this.#writing = false;
  }

  /** Returns the ids of deliveries still claimed by this process. */
  #writeUnit(endings: readonly PendingEnd[], renewed: readonly Claim[]): Promise<ReadonlySet<string>> {
    const work = async (db: Database) => {
      const now = this.#clock.now();
      const ends = await Promise.all(endings.map((ending) => this.#convert(db, ending)));
      await renewClaims(db, renewed, now + DELIVERY_CLAIM_MS);
      const ended = await endClaims(db, ends);
      const own = endings.filter(({ delivery }) => ended.has(delivery.id));
      await appendToLogs(
        db,
        endings.filter((ending) => !ended.has(ending.delivery.id) || isResend(ending)).flatMap(logged),
      );
      await recordAttempts(db, endings.flatMap(exchangesMade));
      await endResends(db, own.flatMap(resendEnd));
      await recordSlowLanes(db, endings.flatMap(laneChange), now);
      for (const { delivery, stop } of own) {
        const { merchantId, url } = delivery;
        if (stop !== undefined)
          await stopUrl(db, { merchantId, url, eventId: eventIdOf(delivery), stoppedAt: now }, stop);
      }
      return ended;
    };
    return this.#store.unit(work, { together: [] });
  }

  /** The end of a claim in the store's time. */
  async #convert(db: Database, ending: PendingEnd): Promise<ClaimEnd> {
    const { id, claim, merchantId } = ending.delivery;
    const { pause, ...end } = ending.end;
    const log = isResend(ending) ? undefined : logEntries(ending.attempts ?? []);
    if (pause === undefined) return { id, claim, ...end, log };
    const stored = await this.#time.toStoreTimeIn(db, merchantId, pause.decidedAt);
    // Without a conversion, the merchant's clock is outdated, so the next attempt is due at once.
    return { id, claim, ...end, nextAt: stored ? stored(pause.until) : this.#clock.now(), log };
  }
}

function isOfUrl(a: Delivery, b: Delivery): boolean {
  return a.merchantId === b.merchantId && a.url === b.url;
}

function laneChange({ delivery: { merchantId, address }, hung }: PendingEnd) {
  return hung === undefined ? [] : [{ merchantId, address, hung }];
}

function isResend({ delivery }: PendingEnd): boolean {
  return delivery.resendOf !== undefined;
}

function logged({ delivery, attempts = [] }: PendingEnd) {
  const entries = logEntries(attempts);
  return entries === undefined ? [] : [{ eventId: eventIdOf(delivery), entries }];
}

function exchangesMade({ delivery, exchanges = [] }: PendingEnd) {
  return exchanges.length > 0 ? [{ eventId: eventIdOf(delivery), attempts: exchanges }] : [];
}

/** A completed resend. */
function resendEnd({ delivery, end }: PendingEnd) {
  return delivery.resendOf === undefined || (end.nextAt ?? end.pause) !== undefined ? [] : [{ delivery, ...end }];
}
