/** Units of work that wait for the next commit: callers' units before background units. */
import { systemTimers, type Timers } from '../../platform/timers.ts';
import { type Priority, StoreUnavailable } from '../store.ts';
import type { Unit } from './group-commit.ts';

/** Callers' units in one commit: as many as take about a tenth of a second. */
const GROUP_MAX = 1_000;
/** While callers wait, a commit contains one background unit per this many of theirs. */
const CALLERS_PER_BACKGROUND = 16;
/** Background units in a commit of their own: a few milliseconds, in which the thread does nothing else. */
const BACKGROUND_MAX = 32;
/** After a commit for callers, background units wait this long: the next callers may be about to arrive. */
const CALLERS_FIRST_MS = 1;

export class UnitQueue {
  readonly #commit: (units: readonly Unit[]) => Promise<void>;
  readonly #max: number;
  readonly #timers: Timers;
  readonly #queues: Record<Priority, Unit[]> = { caller: [], background: [] };
  #committing = false;
  #callersUntil = 0;
  #pausing = false;
  #drained: (() => void)[] = [];

  /** Refuses units beyond `max` of a priority. `commit` must not reject. */
  constructor(commit: (units: readonly Unit[]) => Promise<void>, max: number, timers = systemTimers) {
    this.#commit = commit;
    this.#max = max;
    this.#timers = timers;
  }

  /** Throws StoreUnavailable when too many are waiting. */
  add(unit: Unit, priority: Priority): void {
    const queue = this.#queues[priority];
    if (queue.length >= this.#max) throw new StoreUnavailable('too many units of work are waiting');
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

  get #waiting(): number {
    return this.#queues.caller.length + this.#queues.background.length;
  }

  #schedule(): void {
    if (this.#committing || this.#waiting === 0) return;
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
    if (this.#committing || this.#waiting > 0) return;
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  #nextGroup(): Unit[] {
    const callers = this.#queues.caller.splice(0, GROUP_MAX);
    const share = callers.length > 0 ? Math.ceil(callers.length / CALLERS_PER_BACKGROUND) : BACKGROUND_MAX;
    return [...callers, ...this.#queues.background.splice(0, share)];
  }
}
