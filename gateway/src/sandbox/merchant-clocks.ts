/**
 * Moves the clocks of merchants. What waits for a merchant's time is stored with the time of the store at which it comes
 * (platform/merchant-time.ts), so a clock that moves takes along what waits for it, in one unit of work.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  firstDueFrom,
  hasDueBefore,
  postponeEvent,
  postponeTransaction,
  waitingEvents,
  waitingTransactions,
} from '../store/merchant-due.ts';
import type { Database, Store } from '../store/store.ts';
import { type ClockSetting, momentBy, PARKED, timeOf } from './settings.ts';
import type { World } from './world.ts';

/** What is due gets this long to happen before an advance gives up on it, in milliseconds. */
const PATIENCE_MS = 20_000;
const POLL_MS = 5;

export interface ClockServices {
  readonly world: World;
  readonly store: Store;
  readonly wake: () => void;
  /** Whether a webhook is being attempted here. */
  readonly isAttempted: (eventId: string) => boolean;
}

export class MerchantClocks {
  readonly #services: ClockServices;
  /** Moves of a clock come one after the other. */
  readonly #moves = new Map<number, Promise<unknown>>();

  constructor(services: ClockServices) {
    this.#services = services;
  }

  /** Stops the merchant's time, now or at a later time. Returns whether everything that was due has happened. */
  freeze(merchantId: number, at?: number): Promise<boolean> {
    return this.#move(merchantId, () => this.#goTo(merchantId, at ?? this.#now(merchantId)));
  }

  /** Lets the merchant's time run from where it stands. */
  async release(merchantId: number): Promise<void> {
    await this.#move(merchantId, () => this.#run(merchantId, this.#now(merchantId)));
  }

  /** Moves the merchant's time to a later one. Returns whether everything that was due has happened. */
  advance(merchantId: number, to: (now: number) => number): Promise<boolean> {
    return this.#move(merchantId, async () => {
      const clock = this.#services.world.of(merchantId).clock;
      const reached = await this.#goTo(merchantId, to(this.#now(merchantId)));
      if (!clock || 'aheadMs' in clock) await this.#run(merchantId, this.#now(merchantId));
      return reached;
    });
  }

  /** Goes to a time, and stops at each time on the way at which something is due, until it has happened. */
  async #goTo(merchantId: number, time: number): Promise<boolean> {
    const { world, store } = this.#services;
    const until = deadline();
    await this.#set(merchantId, { frozenAt: this.#now(merchantId), since: world.storeNow() });
    let reached = await this.#settled(merchantId, until);
    while (reached) {
      const parked = await firstDueFrom(store.read, merchantId, PARKED);
      if (parked === undefined || parked - PARKED > time) break;
      await this.#set(merchantId, { frozenAt: parked - PARKED, since: world.storeNow() });
      reached = await this.#settled(merchantId, until);
    }
    await this.#set(merchantId, { frozenAt: time, since: world.storeNow() });
    return reached && this.#settled(merchantId, until);
  }

  #run(merchantId: number, from: number): Promise<void> {
    return this.#set(merchantId, { aheadMs: from - this.#services.world.storeNow() });
  }

  async #set(merchantId: number, clock: ClockSetting): Promise<void> {
    const { world, wake } = this.#services;
    await world.change(merchantId, async (settings, db) => {
      await this.#takeAlong(db, merchantId, settings.clock, clock);
      return { ...settings, clock };
    });
    wake();
  }

  /** Writes when by the new clock comes what waits by the old one. What is due or under way stays unchanged. */
  async #takeAlong(db: Database, merchantId: number, from: ClockSetting | undefined, to: ClockSetting): Promise<void> {
    const { world, isAttempted } = this.#services;
    const storeNow = world.storeNow();
    const before = momentBy(from, storeNow);
    const after = momentBy(to, storeNow);
    for (const { id, due, dueAt, called } of await waitingTransactions(db, merchantId)) {
      // Another time than it waits for is the end of a lease.
      if (dueAt === undefined || called || due !== before.stored(dueAt)) continue;
      if (after.stored(dueAt) !== due) await postponeTransaction(db, id, after.stored(dueAt));
    }
    for (const { id, due } of await waitingEvents(db, merchantId)) {
      const time = isAttempted(id) ? undefined : timeOf(due, from, storeNow);
      if (time !== undefined) await postponeEvent(db, id, after.stored(time));
    }
  }

  /** Waits until nothing of the merchant is due or under way while its clock is frozen. */
  async #settled(merchantId: number, until: number): Promise<boolean> {
    const { store, wake } = this.#services;
    for (;;) {
      wake();
      if (!(await hasDueBefore(store.read, merchantId, PARKED))) return true;
      if (performance.now() > until) return false;
      await pause(POLL_MS);
    }
  }

  #now(merchantId: number): number {
    return this.#services.world.at(merchantId).now;
  }

  async #move<T>(merchantId: number, move: () => Promise<T>): Promise<T> {
    const before = this.#moves.get(merchantId);
    const moved = (before ?? Promise.resolve()).then(move, move);
    this.#moves.set(merchantId, moved);
    try {
      return await moved;
    } finally {
      if (this.#moves.get(merchantId) === moved) this.#moves.delete(merchantId);
    }
  }
}

function deadline(): number {
  return performance.now() + PATIENCE_MS;
}
