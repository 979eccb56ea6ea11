/**
 * The deliveries that this process has claimed. A claim is a lease of a few seconds that is renewed while the delivery
 * is here, so that those of a process that died are soon taken over. Ends and renewals are written one after the
 * other, many at a time: whatever has come up while one unit of work was being written goes into the next.
 */
import { DELIVERY_CLAIM_MS } from '../operations/workers.ts';
import type { Clock } from '../platform/clock.ts';
import { systemTimers, type Timers } from '../platform/timers.ts';
import {
  type ClaimEnd,
  claimDeliveries,
  type Delivery,
  endClaims,
  eventIdOf,
  renewClaims,
  stopUrl,
} from '../store/outbox.ts';
import { endResends } from '../store/resends.ts';
import type { Database, Store } from '../store/store.ts';
import { recordSlowLanes } from '../store/waiting-lanes.ts';
import { type AttemptRecord, recordAttempts } from '../store/webhook-attempts.ts';

const RENEWED_EVERY_MS = 1_500;
/** Ends that are written in one unit of work. */
const BATCH_MAX = 256;

/** What the end of a claim says about more than its delivery. */
export interface Consequences {
  /** Nothing more is sent to the URL; this is the result of the deliveries that are abandoned for it. */
  readonly stop?: string | undefined;
  /** Whether the lane hangs, if that has changed. */
  readonly hung?: boolean | undefined;
  /** The attempts, where they are kept. */
  readonly attempts?: readonly AttemptRecord[] | undefined;
}

interface Ending extends Consequences {
  readonly delivery: Delivery;
  readonly end: Omit<ClaimEnd, 'id'>;
  readonly done: () => void;
  /** By the clock; undefined until it is written. */
  writtenAt: number | undefined;
}

export class Claims {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #report: (error: unknown) => void;
  readonly #timers: Timers;
  readonly #held = new Map<string, Delivery>();
  /** Those that must not be sent any more, since their URL was stopped after they had been claimed. */
  readonly #stopped = new Set<string>();
  /** Stops that a claim which is being made may not have seen in the store. */
  #stops: Ending[] = [];
  readonly #closing = new AbortController();
  #endings: Ending[] = [];
  #renewalDue = false;
  #writing = false;

  /** Calls `report` when something could not be written; the leases then expire. */
  constructor(store: Store, clock: Clock, report: (error: unknown) => void, timers = systemTimers) {
    this.#store = store;
    this.#clock = clock;
    this.#report = report;
    this.#timers = timers;
    this.#renew();
  }

  get size(): number {
    return this.#held.size;
  }

  /** Whether the delivery is here, also when its lease has run out. */
  has(id: string): boolean {
    return this.#held.has(id);
  }

  /** Takes those of the deliveries that are still to be had. */
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

  /** Keeps a delivery that was written as claimed. Returns false if its URL may have been stopped since. */
  keep(delivery: Delivery): boolean {
    this.#held.set(delivery.id, delivery);
    return !this.#stops.some((stop) => isOfUrl(stop.delivery, delivery));
  }

  /** Whether the URL takes no events any more. */
  isStopped({ id, stopped }: Delivery): boolean {
    return stopped || this.#stopped.has(id);
  }

  /** Writes down how a claim ends; resolves when that is committed, or has failed and been reported. */
  end(delivery: Delivery, end: Omit<ClaimEnd, 'id'>, { stop, hung, attempts }: Consequences = {}): Promise<void> {
    return new Promise((done) => {
      const ending: Ending = { delivery, end, stop, hung, attempts, done, writtenAt: undefined };
      this.#endings.push(ending);
      if (stop !== undefined) {
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

  /** Renews nothing any more. */
  close(): void {
    this.#closing.abort();
  }

  /** What is held for the URL of this delivery is not sent any more. */
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
      const renewed = this.#renewalDue ? [...this.#held.keys()].filter((id) => !ending.has(id)) : [];
      this.#renewalDue = false;
      await this.#writeUnit(endings, renewed).catch(this.#report);
      for (const ending of endings) {
        ending.writtenAt = this.#clock.now();
        this.drop(ending.delivery);
        ending.done();
      }
    }
    this.#writing = false;
  }

  #writeUnit(endings: readonly Ending[], renewed: readonly string[]): Promise<void> {
    const work = async (db: Database) => {
      const now = this.#clock.now();
      await renewClaims(db, renewed, now + DELIVERY_CLAIM_MS);
      await endClaims(
        db,
        endings.map(({ delivery, end }) => ({ id: delivery.id, ...end })),
      );
      await recordAttempts(db, endings.flatMap(attemptsMade));
      await endResends(db, endings.flatMap(resendEnd));
      await recordSlowLanes(db, endings.flatMap(laneChange), now);
      for (const { delivery, stop } of endings) {
        const { merchantId, url } = delivery;
        if (stop !== undefined)
          await stopUrl(db, { merchantId, url, eventId: eventIdOf(delivery), stoppedAt: now }, stop);
      }
    };
    return this.#store.unit(work, { together: [] });
  }
}

function isOfUrl(a: Delivery, b: Delivery): boolean {
  return a.merchantId === b.merchantId && a.url === b.url;
}

function laneChange({ delivery: { merchantId, address }, hung }: Ending) {
  return hung === undefined ? [] : [{ merchantId, address, hung }];
}

function attemptsMade({ delivery, attempts = [] }: Ending) {
  return attempts.length > 0 ? [{ eventId: eventIdOf(delivery), attempts }] : [];
}

/** A resend that ends without being given back. */
function resendEnd({ delivery, end }: Ending) {
  return delivery.resendOf === undefined || end.nextAt !== undefined ? [] : [{ delivery, ...end }];
}
