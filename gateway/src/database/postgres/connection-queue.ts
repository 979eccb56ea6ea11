/**
 * Queues background work for the connections of a pool. Callers get one immediately. Background work waits while all
 * connections are in use, but one unit of it is admitted after a number of the callers' round trips, so that it never
 * starves.
 */
import type { Priority } from '../store.ts';

/** While callers fill the pool, one unit of background work is admitted per this many of their round trips. */
const ROUND_TRIPS_PER_BACKGROUND = 64;

/** Round trips of a single read, and of a unit of work with its begin and commit. */
export const ROUND_TRIPS = { read: 1, unit: 4 };

export class ConnectionQueue {
  readonly #connections: number;
  readonly #waiting: (() => void)[] = [];
  #active = 0;
  #roundTrips = 0;

  constructor(connections: number) {
    this.#connections = connections;
  }

  /** Number of waiting background units. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs the work: a caller's immediately, background work when admitted. */
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
