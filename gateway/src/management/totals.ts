/** Sums of exported rows by currency, for people who compare them with other books. */

interface Sum {
  amount: bigint;
  rows: number;
}

/** An amount that counts in the totals of a currency: in which list, and under which name. */
export interface CountedAmount {
  readonly currency: string;
  readonly list: string;
  readonly name: string;
  /** May exceed 2^53 where it is a sum. */
  readonly amount: bigint | number;
  /** Number of rows in the sum, or undefined if not counted. */
  readonly rows?: number;
}

export class Totals {
  #rows = 0;
  /** By currency, list and name. */
  readonly #sums = new Map<string, Map<string, Map<string, Sum>>>();

  get rows(): number {
    return this.#rows;
  }

  /** Counts a row with its amounts. */
  addRow(counted: readonly CountedAmount[]): void {
    this.#rows += 1;
    this.add(counted);
  }

  add(counted: readonly CountedAmount[]): void {
    for (const { currency, list, name, amount, rows = 0 } of counted) {
      const lists = getOrCreate(this.#sums, currency, () => new Map<string, Map<string, Sum>>());
      const names = getOrCreate(lists, list, () => new Map<string, Sum>());
      const sum = getOrCreate(names, name, () => ({ amount: 0n, rows: 0 }));
      sum.amount += BigInt(amount);
      sum.rows += rows;
    }
  }

  /** A line for each currency and list, such as `INR  by reason: collected 100000 (2), settled 50000 (1)`. */
  lines(): string[] {
    return sorted(this.#sums).flatMap(([currency, lists]) =>
      [...lists].map(([list, names]) => `${currency}  ${list}: ${sorted(names).map(describe).join(', ')}`),
    );
  }
}

function describe([name, { amount, rows }]: readonly [string, Sum]): string {
  return `${name} ${amount}${rows > 0 ? ` (${rows})` : ''}`;
}

function getOrCreate<V>(map: Map<string, V>, key: string, create: () => V): V {
  const found = map.get(key) ?? create();
  map.set(key, found);
  return found;
}

function sorted<V>(map: ReadonlyMap<string, V>): (readonly [string, V])[] {
  return [...map].sort(([one], [other]) => (one < other ? -1 : 1));
}
