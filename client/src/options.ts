/** Options with defaults. */

/** Optional options. Undefined is the same as omitted. */
export type PartialOptions<T> = { [K in keyof T]?: T[K] | undefined };

/** Overrides defaults with the given options. Rejects NaN, which would disable a limit. */
export function withDefaults<T extends object>(defaults: T, given: PartialOptions<T> = {}): T {
  const chosen = { ...defaults };
  for (const name in defaults) {
    chosen[name] = given[name] ?? defaults[name];
    if (Number.isNaN(chosen[name])) throw new TypeError(`${name} is NaN`);
  }
  return chosen;
}
