/**
 * Who may use the connections of a pool: callers at once, work that nobody waits for only while there is room. When
 * there is none, it still gets its turn after so much of theirs, so that it never stops.
 */
import type { Priority } from '../store.ts';

/** While callers fill the pool, they make so many round trips for each unit of work of the background. */
const ROUND_TRIPS_PER_BACKGROUND = 64;

/** Round trips of callers: a read, and a unit of work with its begin and commit. */
export const READ = 1;
export const UNIT = 4;

export class Turns {
  readonly #connections: number;
  readonly #waiting: (() => void)[] = [];
  #active = 0;
  #roundTrips = 0;

  constructor(connections: number) {
    this.#connections = connections;
  }

  /** Pieces of background work that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Does the work when it is its turn, which for callers is now. */
  run<T>(priority: Priority, roundTrips: number, work: () => Promise<T>): Promise<T> {
    if (priority === 'background' && this.#active >= this.#connections) {
      return new Promise((resolve) => this.#waiting.push(() => resolve(this.#begin(work))));
    }
    if (priority === 'caller') this.#roundTrips += roundTrips;
    return this.#begin(work);
  }

  #begin<T>(work: () => Promise<T>): Promise<T> {
    this.#active += 1;
    return work().finally(() => this.#end());
  }

  #end(): void {
    this.#active -= 1;
    while (this.#active < this.#connections && this.#admit());
    if (this.#roundTrips >= ROUND_TRIPS_PER_BACKGROUND) this.#admit();
  }

  #admit(): boolean {
    const begin = this.#waiting.shift();
    this.#roundTrips = 0;
    begin?.();
    return begin !== undefined;
  }
}
