/**
 * The settings of all sandboxes, in memory: they are read for every step of a transaction, and rarely change. Changes are
 * written first. On PostgreSQL other processes may change them too, and are followed.
 */

import type { Database, Store } from '../database/store.ts';
import type { Clock } from '../platform/clock.ts';
import { type Conversion, type MerchantTime, type Moment, sameTime } from '../platform/merchant-time.ts';
import { systemTimers, type Timers } from '../platform/timers.ts';
import { momentBy, type SandboxSettings } from './settings.ts';
import {
  changesAfter,
  lockSettings,
  type StoredSettings,
  settingsIn,
  writeSettings,
} from './store/sandbox-settings.ts';

/** The settings of another process hold here within this. */
const FOLLOWED_EVERY_MS = 250;
/** Time after which decisions based on an outdated clock are rejected. Another process may have stopped the clock. */
const RUNS_ON_MS_MAX = 4 * FOLLOWED_EVERY_MS;
/** Time for which steps decided before a local clock change are still accepted. Units of work don't wait longer. */
const UNDER_WAY_MS_MAX = 10_000;

const NOTHING_SET: SandboxSettings = {};

interface CacheOptions {
  /** Whether other processes may change settings. Defaults to the store's sharing. */
  readonly isShared?: boolean;
  /** The clock of signatures. Defaults to the store's. */
  readonly machine?: Clock;
  readonly timers?: Pick<Timers, 'nextTurn'>;
}

export class SandboxSettingsCache implements MerchantTime {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #machine: Clock;
  readonly #timers: Pick<Timers, 'nextTurn'>;
  readonly #settings = new Map<number, SandboxSettings>();
  /** Numbers of the changes by merchant. */
  readonly #known = new Map<number, number>();
  /** Times that merchants had when this process changed their settings, each with the store's time of the change. */
  readonly #had = new Map<number, { readonly time: number; readonly at: number }>();
  /**
   * Number of the last change read. Local changes don't advance it, because smaller numbers of other processes would be
   * missed.
   */
  #changed = 0;
  #listener: (merchantId: number) => void = () => undefined;

  private constructor(
    store: Store,
    clock: Clock,
    { machine, timers }: Required<Pick<CacheOptions, 'machine' | 'timers'>>,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#machine = machine;
    this.#timers = timers;
  }

  /** Loads the settings and follows other processes' changes until the signal is aborted. */
  static async open(
    store: Store,
    clock: Clock,
    stopped: AbortSignal,
    { isShared = store.isShared, machine = clock, timers = systemTimers }: CacheOptions = {},
  ): Promise<SandboxSettingsCache> {
    const settingsCache = new SandboxSettingsCache(store, clock, { machine, timers });
    await settingsCache.refresh();
    if (isShared) settingsCache.#follow(stopped);
    return settingsCache;
  }

  /** The settings of the merchant. */
  of(merchantId: number): SandboxSettings {
    return this.#settings.get(merchantId) ?? NOTHING_SET;
  }

  at(merchantId: number): Moment {
    return momentBy(this.#settings.get(merchantId)?.clock, this.#clock.now());
  }

  async toStoreTimeIn(
    db: Pick<Database, 'get'>,
    merchantId: number,
    decidedAt: number,
  ): Promise<Conversion | undefined> {
    const stored = await settingsIn(db, merchantId);
    // A clock that was never set can't have been stopped, but the machine's clock may have been set back.
    if (stored === undefined) return sameTime;
    const known = this.#isKnown(stored);
    // This unit of work may see its own uncommitted settings, so the cache reads committed ones.
    if (!known) this.refresh().catch(() => undefined);
    const { clock } = known ? this.of(merchantId) : parseSettings(stored);
    const { now, toStoreTime } = momentBy(clock, this.#clock.now());
    return decidedAt > this.#latest(merchantId, now) + RUNS_ON_MS_MAX ? undefined : toStoreTime;
  }

  asOf(merchantId: number, dueAt = Number.POSITIVE_INFINITY): MerchantTime {
    const { clock } = this.of(merchantId);
    const passes = clock !== undefined && 'from' in clock && clock.from < dueAt && dueAt < clock.frozenAt;
    if (!passes) return this;
    return {
      at: (id) => (id === merchantId ? { ...this.at(id), now: dueAt } : this.at(id)),
      toStoreTimeIn: (db, id, decidedAt) => this.toStoreTimeIn(db, id, decidedAt),
      asOf: (id, due) => this.asOf(id, due),
      signedAt: (id) => this.signedAt(id),
    };
  }

  signedAt(merchantId: number): number {
    return this.of(merchantId).signsByClock ? this.at(merchantId).now : this.#machine.now();
  }

  /** Whether the merchant's clock is frozen. */
  isFrozen(merchantId: number): boolean {
    const clock = this.#settings.get(merchantId)?.clock;
    return clock !== undefined && 'frozenAt' in clock;
  }

  /** The time of the store. */
  storeNow(): number {
    return this.#clock.now();
  }

  /**
   * Changes a merchant's settings, one change at a time. The change runs in a unit of work and may be retried.
   * Unchanged settings are not written.
   */
  async change(
    merchantId: number,
    change: (settings: SandboxSettings, db: Database) => SandboxSettings | Promise<SandboxSettings>,
  ): Promise<SandboxSettings> {
    const written = await this.#store.unit(async (db) => {
      const locked = await lockSettings(db, merchantId);
      const before = parseSettings(locked);
      this.#keepTime(merchantId, before);
      const after = await change(before, db);
      return after === before ? undefined : writeSettings(db, merchantId, JSON.stringify(after));
    });
    await this.#turn();
    if (written) this.#remember(written);
    return this.of(merchantId);
  }

  /** Calls the listener after each change of a merchant's settings, including other processes' changes. */
  onChange(listener: (merchantId: number) => void): void {
    this.#listener = listener;
  }

  /** Deletes a merchant, as part of a unit of work that may run more than once. All processes forget what it has set. */
  async delete(merchantId: number, work: (db: Database) => Promise<void>): Promise<void> {
    await this.#store.unit(async (db) => {
      const locked = await lockSettings(db, merchantId);
      await work(db);
      // The row stays, so that others find the change. A merchant without one is not known anywhere.
      if (locked) await writeSettings(db, merchantId, JSON.stringify(NOTHING_SET));
    });
    await this.#turn();
    this.#forget(merchantId);
  }

  /** Reads what other processes have changed. */
  async refresh(): Promise<void> {
    const changes = await changesAfter(this.#store.read, this.#changed);
    await this.#turn();
    for (const { deleted, ...stored } of changes) {
      if (deleted) this.#forget(stored.merchantId);
      else this.#remember(stored);
      this.#changed = Math.max(this.#changed, stored.changed);
    }
  }

  /** Keeps the time that the merchant has by committed settings. A clock of the cache may have run on. */
  #keepTime(merchantId: number, { clock }: SandboxSettings): void {
    const at = this.#clock.now();
    const { now: time } = momentBy(clock, at);
    if (time === this.#latest(merchantId, time)) this.#had.set(merchantId, { time, at });
  }

  /** The latest time the merchant has, or had for steps that may still be in flight. */
  #latest(merchantId: number, now: number): number {
    const had = this.#had.get(merchantId);
    return had && this.#clock.now() <= had.at + UNDER_WAY_MS_MAX ? Math.max(had.time, now) : now;
  }

  /** Settings change between two turns of the event loop: a step is decided and handed to the store within one, by one clock. */
  #turn(): Promise<void> {
    return new Promise((resolve) => this.#timers.nextTurn(resolve));
  }

  #forget(merchantId: number): void {
    this.#settings.delete(merchantId);
    this.#known.delete(merchantId);
    this.#had.delete(merchantId);
  }

  #isKnown({ merchantId, changed }: StoredSettings): boolean {
    return this.#known.get(merchantId) === changed;
  }

  #remember(stored: StoredSettings): void {
    const { merchantId, changed } = stored;
    // Its own changes are read, too, perhaps after the next one was made.
    if ((this.#known.get(merchantId) ?? 0) >= changed) return;
    this.#known.set(merchantId, changed);
    this.#settings.set(merchantId, parseSettings(stored));
    this.#listener(merchantId);
  }

  async #follow(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      await this.#clock.until(this.#clock.now() + FOLLOWED_EVERY_MS, stopped);
      // An unreachable database has no changes.
      if (!stopped.aborted) await this.refresh().catch(() => undefined);
    }
  }
}

function parseSettings(stored: StoredSettings | undefined): SandboxSettings {
  return stored ? (JSON.parse(stored.settings) as SandboxSettings) : NOTHING_SET;
}
