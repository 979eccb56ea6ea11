/**
 * Moves merchants' clocks. Rows that wait for a merchant's time store the corresponding store time
 * (platform/merchant-time.ts), so moving a clock updates them in the same unit of work.
 */

import type { Database, Store } from '../database/store.ts';
import { setWalletsBack } from '../ledger/wallets.ts';
import { systemTimers, type Timers } from '../platform/timers.ts';
import {
  dueBefore,
  findFirstDue,
  hasDueBefore,
  makeDueBetween,
  postponeEvent,
  postponeTransaction,
  waitingEvents,
  waitingTransactions,
} from './merchant-due.ts';
import type { SandboxState } from './sandbox-state.ts';
import { type ClockSetting, FROZEN_OFFSET_MS, type FrozenClock, readClock, toMerchantTime } from './settings.ts';

/** Time that due work has to happen before a move gives up on it, in milliseconds. */
const TIMEOUT_MS = 20_000;
/** Transactions with due times in this span are passed together, each still at its own time. Webhooks are sent now. */
const PAGE_MS = 1_000;
/** Pauses between looks at what is still due: doubled each time, in milliseconds. */
const POLL_MS = { first: 1, max: 64 };

export interface ClockServices {
  readonly sandboxState: SandboxState;
  readonly store: Store;
  readonly wake: () => void;
  readonly timers?: Timers;
}

/** The end of a move. */
export interface MoveEnd {
  /** The reason for not waiting for all due work, or undefined if all of it completed. */
  readonly blockedBy: string | undefined;
}

/** A clock as the unit of work that sets it finds it. */
interface Present {
  readonly now: number;
  readonly clock: ClockSetting | undefined;
  readonly db: Database;
}

type SetTo = Present['clock'];

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
    return this.#move(merchantId, () => this.#goTo(merchantId, (now) => at ?? now));
  }

  /**
   * Returns to the real time. If the merchant's clock is behind, everything up to the real time happens in order first.
   * If it is ahead, due transactions happen first, and waiting work keeps its due time.
   */
  release(merchantId: number): Promise<MoveEnd> {
    return this.#move(merchantId, async () => {
      const { sandboxState } = this.#services;
      if (!sandboxState.of(merchantId).clock) return { blockedBy: undefined };
      const isBehind = sandboxState.at(merchantId).now < sandboxState.storeNow();
      const to = isBehind ? () => sandboxState.storeNow() : (now: number) => now;
      const arrival = await this.#goTo(merchantId, to, { withEvents: isBehind });
      await this.#set(merchantId, () => undefined);
      return arrival;
    });
  }

  /** Moves the merchant's time to a later one. */
  advance(merchantId: number, to: (now: number) => number): Promise<MoveEnd> {
    return this.#move(merchantId, async () => {
      const { sandboxState } = this.#services;
      const { clock } = sandboxState.of(merchantId);
      const arrival = await this.#goTo(merchantId, to);
      if (!clock || 'aheadMs' in clock)
        await this.#set(merchantId, ({ now }) => ({ aheadMs: now - sandboxState.storeNow() }));
      return arrival;
    });
  }

  /** Moves to a time, and waits at each due time until the due work is done. */
  async #goTo(merchantId: number, to: (now: number) => number, { withEvents = true } = {}): Promise<MoveEnd> {
    const until = this.#timers.elapsed() + TIMEOUT_MS;
    let time = 0;
    await this.#set(merchantId, ({ now }) => {
      time = Math.max(to(now), now);
      return this.#frozenAt(now);
    });
    let hasArrived = false;
    while (!hasArrived && (await this.#settled(merchantId, { until, withEvents }))) {
      hasArrived = await this.#goOn(merchantId, time, withEvents);
      // Work may become due again after each wait.
      if (this.#timers.elapsed() > until) break;
    }
    if (hasArrived) return { blockedBy: undefined };
    const blockedBy = await this.#describeDue(merchantId);
    await this.#set(merchantId, ({ now }) => this.#frozenAt(Math.max(time, now)));
    return { blockedBy };
  }

  /**
   * Advances to the next due time or to the target. Returns whether the target is reached. The lookup is part of the
   * unit of work that sets the clock, since new work may have become due.
   */
  async #goOn(merchantId: number, time: number, withEvents: boolean): Promise<boolean> {
    let hasArrived = false;
    await this.#set(merchantId, async ({ now, clock, db }) => {
      hasArrived = false;
      if (await hasDueBefore(db, merchantId, FROZEN_OFFSET_MS, withEvents)) return clock;
      const first = await findFirstDue(db, merchantId, FROZEN_OFFSET_MS);
      const [transaction, event] = [first.transaction - FROZEN_OFFSET_MS, first.event - FROZEN_OFFSET_MS];
      hasArrived = Math.min(transaction, event) > time;
      if (hasArrived) return this.#frozenAt(Math.max(time, now));
      return { ...this.#frozenAt(Math.min(event, transaction + PAGE_MS, time)), from: now };
    });
    return hasArrived;
  }

  #frozenAt(frozenAt: number): FrozenClock {
    return { frozenAt, since: this.#services.sandboxState.storeNow() };
  }

  /**
   * Sets the clock based on its value within the unit of work. A decision made earlier would discard the time passed
   * since, and the clock would go back. An unchanged clock is not written.
   */
  async #set(merchantId: number, decide: (present: Present) => SetTo | Promise<SetTo>): Promise<void> {
    const { sandboxState, wake } = this.#services;
    await sandboxState.change(merchantId, async (settings, db) => {
      const { now } = readClock(settings.clock, sandboxState.storeNow());
      const clock = await decide({ now, clock: settings.clock, db });
      if (clock === settings.clock) return settings;
      await this.#convertDueTimes(db, merchantId, settings.clock, clock);
      const next = readClock(clock, sandboxState.storeNow()).now;
      if (next < now) await setWalletsBack(db, merchantId, now, next);
      return { ...settings, clock };
    });
    wake();
  }

  /** Converts the due times of waiting work to the new clock. Due and leased work stays unchanged. */
  async #convertDueTimes(
    db: Database,
    merchantId: number,
    before: ClockSetting | undefined,
    after: ClockSetting | undefined,
  ): Promise<void> {
    const { sandboxState } = this.#services;
    const storeNow = sandboxState.storeNow();
    if (before && after && 'frozenAt' in before && 'frozenAt' in after) {
      // Both clocks store the same time for a transaction that waits for a later one.
      const passed = {
        from: FROZEN_OFFSET_MS,
        to: FROZEN_OFFSET_MS + after.frozenAt,
        due: Math.min(after.since, storeNow),
      };
      return makeDueBetween(db, merchantId, passed);
    }
    const [old, next] = [readClock(before, storeNow), readClock(after, storeNow)];
    for (const { id, due, dueAt, called } of await waitingTransactions(db, merchantId)) {
      // Another time than it waits for is the end of a lease.
      if (dueAt === undefined || called || due <= storeNow || due !== old.toStoreTime(dueAt)) continue;
      if (next.toStoreTime(dueAt) !== due) await postponeTransaction(db, id, next.toStoreTime(dueAt));
    }
    for (const { id, due } of await waitingEvents(db, merchantId)) {
      const time = toMerchantTime(due, before, storeNow);
      if (time !== undefined) await postponeEvent(db, id, next.toStoreTime(time));
    }
  }

  /** Waits until the merchant has no due or leased work while its clock is frozen. Returns false on a timeout. */
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
    if (parts.length === 0) return `It took longer than ${TIMEOUT_MS / 1_000} s until nothing was due or in progress`;
    return `After ${TIMEOUT_MS / 1_000} s these are still due or in progress: ${parts.join('; ')}`;
  }

  async #move<T>(merchantId: number, move: () => Promise<T>): Promise<T> {
    const before = this.#moves.get(merchantId) ?? Promise.resolve();
    const moved = before.then(move, move);
    this.#moves.set(merchantId, moved);
    try {
      return await moved;
    } finally {
      if (this.#moves.get(merchantId) === moved) this.#moves.delete(merchantId);
    }
  }
}
