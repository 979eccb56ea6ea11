/**
 * The maximum age of a due time when it is committed: more than PostgreSQL allows a statement. Older ones, which a
 * sandbox's clocks cause, are announced.
 */
const COMMIT_MS_MAX = 20_000;
/** The delay between complete searches, which find due times that were neither announced nor committed in time. */
const COMPLETE_SEARCH_MS = 60_000;

/**
 * The time from which to search for due items, since earlier ones were found before. A search of all times reads the
 * index entries of dead rows, which PostgreSQL keeps while a snapshot is held: after two minutes at half load, it took
 * 0.1 s each time.
 */
export class SearchStart {
  #from = 0;
  #announced = 0;
  #completeAt = 0;

  /** Makes the next search find this due time. */
  announce(time: number): void {
    this.#announced = Math.min(this.#announced, time);
  }

  /** Begins a search, and returns where. If it fails, the next one begins there too. */
  begin(now: number): number {
    const isComplete = now >= this.#completeAt;
    if (isComplete) this.#completeAt = now + COMPLETE_SEARCH_MS;
    this.#from = isComplete ? 0 : Math.min(this.#from, this.#announced);
    this.#announced = Number.POSITIVE_INFINITY;
    return this.#from;
  }

  /** Ends a search that began at `now`, with the first due time that it found. */
  end(due: number | undefined, now: number): void {
    this.#from = Math.min(due ?? now, now) - COMMIT_MS_MAX;
  }

  /** Where to begin a claim after a search. */
  get from(): number {
    return this.#from;
  }
}
