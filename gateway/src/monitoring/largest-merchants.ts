/**
 * The largest merchants of a process, by their transactions. All others share a label, so that the number of series is
 * limited.
 */

/** Maximum number of counted merchants. */
const MERCHANTS_COUNTED_MAX = 10_000;
/** Factor by which a merchant must exceed the smallest labeled one to replace it, so that labels change rarely. */
const LARGER_BY = 2;

export const OTHER = 'other';

export class LargestMerchants {
  readonly #max: number;
  readonly #onReplaced: (label: string) => void;
  #counts = new Map<number, number>();
  readonly #named = new Set<number>();

  /** `onReplaced` is called with the label of an evicted merchant. */
  constructor(max: number, onReplaced: (label: string) => void) {
    this.#max = max;
    this.#onReplaced = onReplaced;
  }

  /** Counts a transaction of the merchant, and returns its label. */
  labelOf(merchantId: number): string {
    const count = (this.#counts.get(merchantId) ?? 0) + 1;
    this.#counts.set(merchantId, count);
    if (this.#counts.size > MERCHANTS_COUNTED_MAX) this.#halve();
    if (!this.#named.has(merchantId) && !this.#admit(merchantId, count)) return OTHER;
    return String(merchantId);
  }

  #admit(merchantId: number, count: number): boolean {
    if (this.#named.size >= this.#max) {
      const countOf = (id: number) => this.#counts.get(id) ?? 0;
      const smallest = [...this.#named].toSorted((a, b) => countOf(a) - countOf(b))[0];
      if (smallest === undefined || count <= countOf(smallest) * LARGER_BY) return false;
      this.#named.delete(smallest);
      this.#onReplaced(String(smallest));
    }
    this.#named.add(merchantId);
    return true;
  }

  /** Decays counts, so that recent transactions weigh more and inactive merchants are removed. */
  #halve(): void {
    const halved = [...this.#counts].map(([id, count]) => [id, Math.floor(count / 2)] as const);
    this.#counts = new Map(halved.filter(([, count]) => count > 0));
  }
}
