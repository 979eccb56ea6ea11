/**
 * The settings of all sandboxes, in memory: they are read for every step of a transaction, and rarely change. Changes are
 * written first. On PostgreSQL other processes may change them too, and are followed.
 */
import type { Clock } from '../platform/clock.ts';
import type { MerchantTime, Moment } from '../platform/merchant-time.ts';
import { lockSettings, type StoredSettings, settingsSince, writeSettings } from '../store/sandbox-settings.ts';
import type { Database, Store } from '../store/store.ts';
import { momentBy, type Settings } from './settings.ts';

/** The settings of another process hold here within this. */
const FOLLOWED_EVERY_MS = 250;

const NOTHING_SET: Settings = {};

export class World implements MerchantTime {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #settings = new Map<number, Settings>();
  /** Numbers of the changes by merchant. */
  readonly #known = new Map<number, number>();
  #changed = 0;
  #listener: (merchantId: number) => void = () => undefined;

  private constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Reads the settings, and follows those of other processes until the signal is aborted. */
  static async open(store: Store, clock: Clock, stopped: AbortSignal): Promise<World> {
    const world = new World(store, clock);
    await world.refresh();
    if (store.kind === 'postgres') world.#follow(stopped);
    return world;
  }

  /** What the merchant has set. */
  of(merchantId: number): Settings {
    return this.#settings.get(merchantId) ?? NOTHING_SET;
  }

  at(merchantId: number): Moment {
    return momentBy(this.#settings.get(merchantId)?.clock, this.#clock.now());
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
   * Changes the settings of a merchant, one change after the other. The change is part of a unit of work, so it may run more
   * than once. With the same settings nothing is written.
   */
  async change(
    merchantId: number,
    change: (settings: Settings, db: Database) => Settings | Promise<Settings>,
  ): Promise<Settings> {
    const written = await this.#store.unit(async (db) => {
      const locked = await lockSettings(db, merchantId);
      const before = locked ? (JSON.parse(locked.settings) as Settings) : NOTHING_SET;
      const after = await change(before, db);
      return after === before ? undefined : writeSettings(db, merchantId, JSON.stringify(after));
    });
    if (written) this.#remember(written);
    return this.of(merchantId);
  }

  /** Calls the listener after each change of a merchant's settings, also in other processes. */
  onChange(listener: (merchantId: number) => void): void {
    this.#listener = listener;
  }

  /** Forgets a merchant that is deleted. */
  forget(merchantId: number): void {
    this.#settings.delete(merchantId);
    this.#known.delete(merchantId);
  }

  /** Reads what other processes have changed. */
  async refresh(): Promise<void> {
    for (const stored of await settingsSince(this.#store.read, this.#changed)) this.#remember(stored);
  }

  #remember({ merchantId, settings, changed }: StoredSettings): void {
    // The last change is read again and again, since another one may have the same number.
    if (this.#known.get(merchantId) === changed) return;
    this.#known.set(merchantId, changed);
    this.#settings.set(merchantId, JSON.parse(settings) as Settings);
    this.#changed = Math.max(this.#changed, changed);
    this.#listener(merchantId);
  }

  async #follow(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      await this.#clock.until(this.#clock.now() + FOLLOWED_EVERY_MS, stopped);
      // While the database can't be reached, nothing is changed there.
      if (!stopped.aborted) await this.refresh().catch(() => undefined);
    }
  }
}
