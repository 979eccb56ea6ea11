/** Slots of one kind, shared fairly by merchants: none of them can take all from the others. */

export interface SlotLimits {
  readonly all: number;
  /** Of one merchant; all of them when it isn't given. */
  readonly perMerchant?: number;
}

/** A merchant below this number gets a slot even if all are taken, so that it never waits for others. */
const GUARANTEED = 2;

export class Slots {
  readonly #all: number;
  readonly #perMerchant: number;
  readonly #taken = new Map<number, number>();
  #total = 0;

  constructor({ all, perMerchant = all }: SlotLimits) {
    this.#all = all;
    this.#perMerchant = Math.max(perMerchant, GUARANTEED);
  }

  /** Slots that the merchant has taken. */
  takenBy(merchantId: number): number {
    return this.#taken.get(merchantId) ?? 0;
  }

  hasRoom(merchantId: number): boolean {
    const taken = this.takenBy(merchantId);
    return taken < this.#perMerchant && (this.#total < this.#all || taken < GUARANTEED);
  }

  take(merchantId: number): void {
    this.#taken.set(merchantId, this.takenBy(merchantId) + 1);
    this.#total += 1;
  }

  release(merchantId: number): void {
    const left = this.takenBy(merchantId) - 1;
    if (left > 0) this.#taken.set(merchantId, left);
    else this.#taken.delete(merchantId);
    this.#total -= 1;
  }

  /** Selects the merchant with the fewest slots that may take another. */
  neediest(merchantIds: Iterable<number>): number | undefined {
    let found: number | undefined;
    for (const merchantId of merchantIds) {
      if (!this.hasRoom(merchantId)) continue;
      if (found === undefined || this.takenBy(merchantId) < this.takenBy(found)) found = merchantId;
    }
    return found;
  }
}
