/** Units of work that wait for the next commit: callers' units before background units. */
import { systemTimers, type Timers } from '../platform/timers.ts';
import { type Database, type Priority, StoreUnavailable } from './store.ts';

/** A unit of work that waits, and whom to tell. */
export interface Unit {
  readonly work: (db: Database) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Background units count as lagging from this queue length down to a small one. Callers eventually wait for background
 * work, so each commit includes some as long as it keeps up. Faster callers wait only for their response.
 */
const LAGGING = { from: 128, until: 16 };
/** While background units lag, one of them is committed per this many of callers, and at least one per commit. */
const CALLERS_PER_BACKGROUND = 16;
/**
 * Background units per commit. A background commit blocks the thread for a few milliseconds. Each request causes
 * several units, so a smaller number would lag behind a steady load. While lagging, larger commits are used, since a
 * commit takes as long as its slowest unit.
 */
const BACKGROUND_MAX = 32;
/** After a commit for callers, background units wait this long: the next callers may be about to arrive. */
const CALLERS_FIRST_MS = 1;

export interface UnitQueueOptions {
  /** Units of a priority that may wait; more are refused. */
  readonly max: number;
  /** Callers' units in one commit: as many as take about a tenth of a second. */
  readonly groupMax?: number;
  readonly timers?: Timers;
}

export class UnitQueue<U extends Unit = Unit> {
  readonly #commit: (units: readonly U[]) => Promise<void>;
  readonly #max: number;
  readonly #groupMax: number;
  readonly #timers: Timers;
  readonly #queues: Record<Priority, U[]> = { caller: [], background: [] };
  #committing = false;
  #lagging = false;
  /** Background units that may go before callers. */
  #owed = 0;
  #callersUntil = 0;
  #pausing = false;
  #drained: (() => void)[] = [];

  /** `commit` must not reject. */
  constructor(
    commit: (units: readonly U[]) => Promise<void>,
    { max, groupMax = 1_000, timers = systemTimers }: UnitQueueOptions,
  ) {
    this.#commit = commit;
    this.#max = max;
    this.#groupMax = groupMax;
    this.#timers = timers;
  }

  /** Throws StoreUnavailable when too many are waiting. */
  add(unit: U, priority: Priority): void {
    const queue = this.#queues[priority];
    if (queue.length >= this.#max)
      throw new StoreUnavailable('too many units of work are waiting', { reason: 'overloaded' });
    queue.push(unit);
    this.#schedule();
  }

  /** Resolves when all units have been committed. */
  drain(): Promise<void> {
    return new Promise((resolve) => {
      this.#drained.push(resolve);
      this.#tellDrained();
    });
  }

  /** Units that wait. */
  get waiting(): number {
    return this.#queues.caller.length + this.#queues.background.length;
  }

  #schedule(): void {
    if (this.#committing || this.waiting === 0) return;
    const pause = this.#queues.caller.length > 0 ? 0 : this.#callersUntil - this.#timers.elapsed();
    if (pause > 0) {
      this.#scheduleAfter(pause);
    } else {
      this.#committing = true;
      this.#timers.nextTurn(() => this.#commitNext());
    }
  }

  #scheduleAfter(ms: number): void {
    if (this.#pausing) return;
    this.#pausing = true;
    this.#timers.after(ms, () => {
      this.#pausing = false;
      this.#schedule();
    });
  }

  async #commitNext(): Promise<void> {
    const forCallers = this.#queues.caller.length > 0;
    await this.#commit(this.#nextGroup());
    this.#committing = false;
    if (forCallers) this.#callersUntil = this.#timers.elapsed() + CALLERS_FIRST_MS;
    this.#schedule();
    this.#tellDrained();
  }

  #tellDrained(): void {
    if (this.#committing || this.waiting > 0) return;
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  #nextGroup(): U[] {
    const { caller, background } = this.#queues;
    this.#lagging = background.length > (this.#lagging ? LAGGING.until : LAGGING.from);
    if (!this.#lagging) this.#owed = 0;
    if (caller.length === 0 || this.#owed >= BACKGROUND_MAX) {
      this.#owed = Math.max(0, this.#owed - BACKGROUND_MAX);
      return background.splice(0, BACKGROUND_MAX);
    }
    const callers = caller.splice(0, this.#groupMax);
    if (!this.#lagging) return [...callers, ...background.splice(0, Math.max(callers.length, BACKGROUND_MAX))];
    this.#owed += Math.max(1, callers.length / CALLERS_PER_BACKGROUND);
    return callers;
  }
}
