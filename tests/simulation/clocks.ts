/**
 * Rules for merchants' clocks, independent of the gateway's arithmetic: work becomes due at its time by the committed
 * clock, and never earlier.
 */
import type { Row } from '../../gateway/src/database/store.ts';
import { demand } from './broken-rule.ts';
import type { Disk } from './disk.ts';
import type { Scheduler } from './scheduler.ts';

/** Offset at which frozen times are stored, until the clock moves. */
export const NEVER = 100_000_000_000_000;
/** Maximum of leases and delays after failures, in milliseconds. */
export const PAUSE_MS_MAX = 16 * 60_000;
/** Maximum of leases. */
const LEASE_MS_MAX = 10_000;

type Clock = { readonly aheadMs: number } | { readonly frozenAt: number } | undefined;

function readTime(clock: Clock, storeNow: number): number {
  if (clock && 'frozenAt' in clock) return clock.frozenAt;
  return storeNow + (clock?.aheadMs ?? 0);
}

export class Clocks {
  readonly #disk: Disk;
  readonly #scheduler: Scheduler;
  readonly #clocks = new Map<number, Clock>();
  /** The latest time of each merchant so far. */
  readonly #latest = new Map<number, number>();
  /** The times at which clocks were moved, by the merchant's clock, in the order of commits. */
  readonly #shown: (readonly [merchantId: number, time: number])[] = [];

  constructor(disk: Disk, scheduler: Scheduler) {
    this.#disk = disk;
    this.#scheduler = scheduler;
  }

  /** Whether the merchant's time differs from the real one. */
  isMoved(merchantId: number): boolean {
    return this.#clocks.get(merchantId) !== undefined;
  }

  /** The merchant's time by the committed clock. */
  present(merchantId: number): number {
    return readTime(this.#clocks.get(merchantId), this.#scheduler.now);
  }

  /** Returns the merchant's earliest time since this call, since a clock may go back. */
  earliestFromNow(): (merchantId: number) => number {
    const { now } = this.#scheduler;
    const [clocks, first] = [new Map(this.#clocks), this.#shown.length];
    return (merchantId) => {
      const shown = this.#shown.slice(first).flatMap(([id, time]) => (id === merchantId ? [time] : []));
      return Math.min(readTime(clocks.get(merchantId), now), ...shown);
    };
  }

  /** Number of clock moves so far. */
  get sets(): number {
    return this.#shown.length;
  }

  /** Whether one of these moves reached the time, or a later one. */
  hasArrived(merchantId: number, time: number, { from, to }: { readonly from: number; readonly to: number }): boolean {
    return this.#shown.slice(from, to).some(([id, shown]) => id === merchantId && shown >= time);
  }

  /** The merchant's latest time, since a clock may go back. */
  latest(merchantId: number): number {
    const latest = Math.max(this.#latest.get(merchantId) ?? 0, this.present(merchantId));
    this.#latest.set(merchantId, latest);
    return latest;
  }

  /** Converts a future time of the merchant to the store's. */
  stored(merchantId: number, time: number): number {
    const clock = this.#clocks.get(merchantId);
    if (clock && 'frozenAt' in clock) return time + NEVER;
    return time - (clock?.aheadMs ?? 0);
  }

  /** Converts a future time of the store to the merchant's. */
  timeOf(merchantId: number, stored: number): number {
    const clock = this.#clocks.get(merchantId);
    if (clock && 'frozenAt' in clock) return stored - NEVER;
    return stored + (clock?.aheadMs ?? 0);
  }

  /** The merchant's time at which the transaction is due. */
  waitsFor(id: string): number {
    const [row] = this.#disk.rows('select state from transactions where id = ?', id);
    const { dueAt } = JSON.parse(String(row?.['state'] ?? '{}')) as { dueAt?: number };
    return dueAt ?? Number.POSITIVE_INFINITY;
  }

  /** Records a committed clock move. */
  follow({ id, became }: Row): void {
    const merchantId = Number(id);
    this.latest(merchantId);
    const before = this.present(merchantId);
    this.#clocks.set(merchantId, became === null ? undefined : (JSON.parse(String(became)) as Clock));
    this.latest(merchantId);
    const present = this.present(merchantId);
    this.#shown.push([merchantId, present]);
    const onwards = became === null || present >= before;
    demand(onwards, 'a clock that is not released goes back', () => `merchant ${id} from ${before} to ${present}`);
  }

  /** After a clock move, all of the merchant's waiting work follows the new clock. */
  checkAll(merchantId: number): void {
    const rows = this.#disk.rows(
      'select id, next_attempt_at, state from transactions where merchant_id = ? and next_attempt_at is not null',
      merchantId,
    );
    for (const row of rows) this.checkRow(merchantId, row);
  }

  /** A waiting transaction follows the committed clock. A due or leased one is due soon. */
  checkRow(merchantId: number, { id, next_attempt_at: due, state }: Row): void {
    const { now } = this.#scheduler;
    const { dueAt } = JSON.parse(String(state)) as { dueAt?: number };
    if (dueAt === undefined || Number(due) <= now) return;
    const [present, latest] = [this.present(merchantId), this.latest(merchantId)];
    const expected = this.stored(merchantId, dueAt);
    const waits = dueAt > present && Number(due) === expected;
    // Includes a process that hasn't read another's clock move yet.
    const leased = Number(due) <= now + LEASE_MS_MAX;
    const failed = dueAt <= latest && Number(due) <= now + PAUSE_MS_MAX && this.#hasFailed(String(id));
    demand(
      waits || leased || failed,
      'a transaction waits for the time of another clock',
      () => `${id} waits for ${dueAt}, which comes at ${expected}, and is due at ${due}; now ${now}, there ${present}`,
    );
  }

  #hasFailed(id: string): boolean {
    const [row] = this.#disk.rows('select failures from transactions where id = ?', id);
    return Number(row?.['failures']) > 0;
  }
}
