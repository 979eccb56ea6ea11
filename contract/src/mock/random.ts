/** Random numbers that a seed can repeat. */
export interface Random {
  /** An integer from 0 to below the limit. */
  below(limit: number): number;
  pick<T>(values: readonly T[]): T | undefined;
}

/** Mulberry32. Unseeded generators produce different sequences. */
export function createRandom(seed = Math.floor(Math.random() * 2 ** 32)): Random {
  let state = seed;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, pick: (values) => values[below(values.length)] };
}
