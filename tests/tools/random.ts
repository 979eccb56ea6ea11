/** Seeded random choices. */

export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  whole(min: number, max: number): number;
  /** One of the items. Throws if there are none. */
  of<T>(items: readonly T[]): T;
  chance(probability: number): boolean;
}

/** Creates a random number generator from a 32-bit seed (a xorshift with three shifts). */
export function seeded(seed: number): Random {
  let state = (seed ^ 0x9e37_79b9) >>> 0 || 1;
  function next(): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  }
  // The first numbers of neighboring seeds are similar.
  for (let step = 0; step < 16; step++) next();
  return {
    next,
    whole: (min, max) => min + Math.floor(next() * (max - min + 1)),
    of(items) {
      if (items.length === 0) throw new Error('there is nothing to choose from');
      return items[Math.floor(next() * items.length)] as (typeof items)[number];
    },
    chance: (probability) => next() < probability,
  };
}
