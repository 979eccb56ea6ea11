/**
 * The settings and clocks of all merchants of a sandbox. They are state of the process that serves it (lease.ts), stored
 * with each change and loaded when the process takes over.
 */
import { integer, json } from '../database/row-mapper.ts';
import { type Database, type Store, StoreUnavailable } from '../database/store.ts';
import { ProblemError } from '../http/problems.ts';
import type { Clock } from '../platform/clock.ts';
import type { ClockReading, ConversionOf, MerchantTime } from '../platform/merchant-time.ts';
import { readClock, type SandboxSettings, toMerchantTime } from './settings.ts';

const NO_SETTINGS: SandboxSettings = {};
const toSettings = json<SandboxSettings>('settings');

interface StateServices {
  readonly store: Store;
  readonly clock: Clock;
  /** The clock of signatures. Defaults to the store's. */
  readonly machine?: Clock;
}

export class SandboxState implements MerchantTime {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #machine: Clock;
  readonly #locks = new MerchantLocks();
  readonly #settings = new Map<number, SandboxSettings>();
  /** Merchants whose last change may have been committed although it failed. */
  readonly #unsure = new Set<number>();
  #listener: (merchantId: number) => void = () => undefined;

  constructor({ store, clock, machine = clock }: StateServices) {
    this.#store = store;
    this.#clock = clock;
    this.#machine = machine;
  }

  /** Loads the stored settings of all merchants. */
  async load(): Promise<void> {
    const rows = await this.#store.read.all('select merchant_id, settings from sandbox_settings');
    this.#settings.clear();
    this.#unsure.clear();
    for (const row of rows) this.#settings.set(integer('merchant_id')(row), toSettings(row));
  }

  of(merchantId: number): SandboxSettings {
    return this.#settings.get(merchantId) ?? NO_SETTINGS;
  }

  at(merchantId: number): ClockReading {
    return readClock(this.#settings.get(merchantId)?.clock, this.#clock.now());
  }

  holdClocks<T>(merchantIds: readonly number[], write: (conversionOf: ConversionOf) => Promise<T>): Promise<T> {
    return this.#locks.share(merchantIds, async () => {
      const unsure = merchantIds.filter((id) => this.#unsure.has(id));
      for (const id of unsure) await this.#reload(id);
      // The write was decided by a clock that may not have been the stored one.
      if (unsure.length > 0) throw new StoreUnavailable("the merchant's settings have been read again");
      return write((id) => this.at(id).toStoreTime);
    });
  }

  asOf(merchantId: number, dueAt = Number.POSITIVE_INFINITY): MerchantTime {
    const { clock } = this.of(merchantId);
    const passes = clock !== undefined && 'from' in clock && clock.from < dueAt && dueAt < clock.frozenAt;
    if (!passes) return this;
    return {
      at: (id) => (id === merchantId ? { ...this.at(id), now: dueAt } : this.at(id)),
      holdClocks: (ids, write) => this.holdClocks(ids, write),
      asOf: (id, due) => this.asOf(id, due),
      signedAt: (id) => this.signedAt(id),
    };
  }

  signedAt(merchantId: number): number {
    return this.of(merchantId).signsByClock ? this.at(merchantId).now : this.#machine.now();
  }

  /** Converts a stored time to the merchant's. Returns undefined for work that is due. */
  toMerchantTime(merchantId: number, stored: number): number | undefined {
    return toMerchantTime(stored, this.of(merchantId).clock, this.#clock.now());
  }

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
    const before = await this.#write(merchantId, async (settings, db) => {
      const after = await change(settings, db);
      // In force before the commit: otherwise, a decision could use a time that the merchant never had.
      this.#settings.set(merchantId, after);
      if (after === settings) return;
      await db.run(
        `insert into sandbox_settings (merchant_id, settings) values (?, ?)
         on conflict (merchant_id) do update set settings = excluded.settings`,
        ...[merchantId, JSON.stringify(after)],
      );
    });
    if (this.of(merchantId) !== before) this.#listener(merchantId);
    return this.of(merchantId);
  }

  /** Calls the listener after each change of a merchant's settings. */
  onChange(listener: (merchantId: number) => void): void {
    this.#listener = listener;
  }

  /** Deletes a merchant's settings, together with other work in a unit that may run more than once. */
  async delete(merchantId: number, work: (db: Database) => Promise<void>): Promise<void> {
    await this.#write(merchantId, async (_settings, db) => {
      await work(db);
      await db.run('delete from sandbox_settings where merchant_id = ?', merchantId);
    });
    this.#settings.delete(merchantId);
  }

  /** Runs a unit of work while no other unit writes the merchant's due times. Returns the settings from before. */
  #write(
    merchantId: number,
    work: (settings: SandboxSettings, db: Database) => Promise<void>,
  ): Promise<SandboxSettings> {
    return this.#locks.exclude(merchantId, async () => {
      if (this.#unsure.has(merchantId)) await this.#reload(merchantId);
      const before = this.of(merchantId);
      try {
        await this.#store.unit((db) => work(before, db));
      } catch (error) {
        this.#settings.set(merchantId, before);
        // A problem is thrown within the unit, which is rolled back then.
        if (!(error instanceof ProblemError)) this.#unsure.add(merchantId);
        throw error;
      }
      return before;
    });
  }

  async #reload(merchantId: number): Promise<void> {
    const row = await this.#store.read.get('select settings from sandbox_settings where merchant_id = ?', merchantId);
    this.#settings.set(merchantId, row ? toSettings(row) : NO_SETTINGS);
    this.#unsure.delete(merchantId);
  }
}

/** Per merchant, allows writes to overlap each other, but not a change of the settings. */
class MerchantLocks {
  readonly #writes = new Map<number, Set<Promise<unknown>>>();
  /** The last change of each merchant that waits or is in progress. */
  readonly #changes = new Map<number, Promise<void>>();

  /** Runs a write after the changes that came before it. */
  async share<T>(merchantIds: readonly number[], write: () => Promise<T>): Promise<T> {
    for (;;) {
      const changes = merchantIds.flatMap((id) => this.#changes.get(id) ?? []);
      if (changes.length === 0) break;
      await Promise.all(changes);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const id of merchantIds) this.#writesOf(id).add(promise);
    try {
      return await write();
    } finally {
      resolve();
      for (const id of merchantIds) this.#remove(id, promise);
    }
  }

  /** Runs a change alone, after the changes and writes that came before it. */
  async exclude<T>(merchantId: number, change: () => Promise<T>): Promise<T> {
    const before = this.#changes.get(merchantId);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#changes.set(merchantId, promise);
    try {
      await before;
      await Promise.all(this.#writes.get(merchantId) ?? []);
      return await change();
    } finally {
      if (this.#changes.get(merchantId) === promise) this.#changes.delete(merchantId);
      resolve();
    }
  }

  #writesOf(merchantId: number): Set<Promise<unknown>> {
    const writes = this.#writes.get(merchantId) ?? new Set();
    this.#writes.set(merchantId, writes);
    return writes;
  }

  #remove(merchantId: number, write: Promise<unknown>): void {
    const writes = this.#writes.get(merchantId);
    writes?.delete(write);
    if (writes?.size === 0) this.#writes.delete(merchantId);
  }
}
