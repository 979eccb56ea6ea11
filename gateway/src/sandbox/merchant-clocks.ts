/**
 * Moves the clocks of merchants. What waits for a merchant's time is stored with the time of the store at which it comes
 * (platform/merchant-time.ts), so a clock that moves takes along what waits for it, in one unit of work.
 */
import { systemTimers, type Timers } from '../platform/timers.ts';
import type { Database, Store } from '../store/engine/store.ts';
import { type ClockSetting, FROZEN_OFFSET_MS, momentBy, timeOf } from './settings.ts';
import type { SandboxSettingsCache } from './settings-cache.ts';
import {
  bringForwardAll,
  dueBefore,
  firstDueFrom,
  hasDueBefore,
  postponeEvent,
  postponeTransaction,
  waitingEvents,
  waitingTransactions,
} from './store/merchant-due.ts';

/** Time that due work has to happen before a move gives up on it, in milliseconds. */
const PATIENCE_MS = 20_000;
/** Transactions with due times in this span are passed together, each still at its own time. Webhooks are sent now. */
const PAGE_MS = 1_000;
/** Pauses between looks at what is still due: doubled each time, in milliseconds. */
const POLL_MS = { first: 1, max: 64 };

export interface ClockServices {
  readonly settingsCache: SandboxSettingsCache;
  readonly store: Store;
  readonly wake: () => void;
  readonly timers?: Timers;
}

/** The end of a move. */
export interface MoveEnd {
  /** The reason for not waiting for everything that was due; undefined if all of it has happened. */
  readonly heldUpBy: string | undefined;
}

export class MerchantClocks {
  readonly #services: ClockServices;
  readonly #timers: Timers;
  /** Moves of a clock come one after the other. */
  readonly #moves = new Map<number, Promise<unknown>>();

  constructor(services: ClockServices) {
    this.#services = services;
    this.#timers = services.timers ?? systemTimers;
  }

  /** Stops the merchant's time, now or at a later time. */
  freeze(merchantId: number, at?: number): Promise<MoveEnd> {
    return this.#move(merchantId, () => this.#goTo(merchantId, at ?? this.#now(merchantId)));
  }

  /**
   * Returns to the real time. If the merchant's time is behind it, everything until then happens in order first. If it
   * is ahead, the transactions that are due happen first, and what waits for a time continues to wait for that time.
   */
  release(merchantId: number): Promise<MoveEnd> {
    return this.#move(merchantId, async () => {
      const { settingsCache } = this.#services;
      if (!settingsCache.of(merchantId).clock) return { heldUpBy: undefined };
      const now = this.#now(merchantId);
      const ahead = now >= settingsCache.storeNow();
      const arrival = await this.#goTo(merchantId, ahead ? now : settingsCache.storeNow(), { withEvents: !ahead });
      await this.#set(merchantId, undefined);
      return arrival;
    });
  }

  /** Moves the merchant's time to a later one. */
  advance(merchantId: number, to: (now: number) => number): Promise<MoveEnd> {
    return this.#move(merchantId, async () => {
      const clock = this.#services.settingsCache.of(merchantId).clock;
      const arrival = await this.#goTo(merchantId, to(this.#now(merchantId)));
      if (!clock || 'aheadMs' in clock) await this.#run(merchantId, this.#now(merchantId));
      return arrival;
    });
  }

  /** Goes to a time, and stops on the way where something is due, until it has happened. */
  async #goTo(merchantId: number, time: number, { withEvents = true } = {}): Promise<MoveEnd> {
    const { settingsCache, store } = this.#services;
    const until = this.#timers.elapsed() + PATIENCE_MS;
    const settled = () => this.#settled(merchantId, { until, withEvents });
    let from = this.#now(merchantId);
    await this.#set(merchantId, { frozenAt: from, since: settingsCache.storeNow() });
    let arrived = await settled();
    while (arrived) {
      const first = await firstDueFrom(store.read, merchantId, FROZEN_OFFSET_MS);
      const [transaction, event] = [first.transaction - FROZEN_OFFSET_MS, first.event - FROZEN_OFFSET_MS];
      if (Math.min(transaction, event) > time) break;
      const frozenAt = Math.min(event, transaction + PAGE_MS, time);
      await this.#set(merchantId, { frozenAt, since: settingsCache.storeNow(), from });
      arrived = await settled();
      from = frozenAt;
    }
    const heldUpBy = arrived ? undefined : await this.#describeDue(merchantId);
    await this.#set(merchantId, { frozenAt: time, since: settingsCache.storeNow() });
    return { heldUpBy };
  }

  #run(merchantId: number, from: number): Promise<void> {
    return this.#set(merchantId, { aheadMs: from - this.#services.settingsCache.storeNow() });
  }

  async #set(merchantId: number, clock: ClockSetting | undefined): Promise<void> {
    const { settingsCache, wake } = this.#services;
    await settingsCache.change(merchantId, async (settings, db) => {
      await this.#takeAlong(db, merchantId, settings.clock, clock);
      return { ...settings, clock };
    });
    wake();
  }

  /** Writes when by the new clock comes what waits by the old one. What is due or under way stays unchanged. */
  async #takeAlong(
    db: Database,
    merchantId: number,
    before: ClockSetting | undefined,
    after: ClockSetting | undefined,
  ): Promise<void> {
    const { settingsCache } = this.#services;
    const storeNow = settingsCache.storeNow();
    if (before && after && 'frozenAt' in before && 'frozenAt' in after) {
      // Both clocks store the same time for a transaction that waits for a later one.
      const passed = {
        from: FROZEN_OFFSET_MS,
        to: FROZEN_OFFSET_MS + after.frozenAt,
        due: Math.min(after.since, storeNow),
      };
      return bringForwardAll(db, merchantId, passed);
    }
    const [old, next] = [momentBy(before, storeNow), momentBy(after, storeNow)];
    for (const { id, due, dueAt, called } of await waitingTransactions(db, merchantId)) {
      // Another time than it waits for is the end of a lease.
      if (dueAt === undefined || called || due <= storeNow || due !== old.toStoreTime(dueAt)) continue;
      if (next.toStoreTime(dueAt) !== due) await postponeTransaction(db, id, next.toStoreTime(dueAt));
    }
    for (const { id, due } of await waitingEvents(db, merchantId)) {
      const time = timeOf(due, before, storeNow);
      if (time !== undefined) await postponeEvent(db, id, next.toStoreTime(time));
    }
  }

  /** Waits until nothing of the merchant is due or under way while its clock is frozen. Returns false if that takes too long. */
  async #settled(
    merchantId: number,
    { until, withEvents }: { readonly until: number; readonly withEvents: boolean },
  ): Promise<boolean> {
    const { store } = this.#services;
    for (let pause = POLL_MS.first; ; pause = Math.min(2 * pause, POLL_MS.max)) {
      if (!(await hasDueBefore(store.read, merchantId, FROZEN_OFFSET_MS, withEvents))) return true;
      if (this.#timers.elapsed() > until) return false;
      await new Promise<void>((resolve) => this.#timers.after(pause, resolve));
    }
  }

  /** The due things that a move doesn't wait for any longer, for people. */
  async #describeDue(merchantId: number): Promise<string> {
    const { transactions, transactionId, events, address } = await dueBefore(
      this.#services.store.read,
      merchantId,
      FROZEN_OFFSET_MS,
    );
    const parts = [
      ...(transactions > 0 ? [`transactions: ${transactions}, such as ${transactionId}`] : []),
      ...(events > 0 ? [`webhooks: ${events}, such as one to ${address}`] : []),
    ];
    return `After ${PATIENCE_MS / 1_000} s these are still due or under way: ${parts.join('; ')}`;
  }

  #now(merchantId: number): number {
    return this.#services.settingsCache.at(merchantId).now;
  }

  async #move<T>(merchantId: number, move: () => Promise<T>): Promise<T> {
    const before = this.#moves.get(merchantId) ?? Promise.resolve();
    // Another process may have moved the clock.
    const begin = () => this.#services.settingsCache.refresh().then(move);
    const moved = before.then(begin, begin);
    this.#moves.set(merchantId, moved);
    try {
      return await moved;
    } finally {
      if (this.#moves.get(merchantId) === moved) this.#moves.delete(merchantId);
    }
  }
}
