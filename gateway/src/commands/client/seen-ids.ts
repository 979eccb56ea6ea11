/** Remembers the newest ids, to detect missed ones. */

const KEPT = 2_000;

export class SeenIds {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Returns whether the id is new. Forgets the oldest of too many. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const [oldest = ''] = this.#ids;
    if (this.#ids.size > KEPT) this.#ids.delete(oldest);
    return true;
  }
}
