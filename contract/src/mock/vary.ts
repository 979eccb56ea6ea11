/** Varies an example: other amounts, IDs and items, and recent times. Equal values stay equal. */
import { type Bundle, type Json, type JsonObject, openEnum, resolve, type Schema } from '../model.ts';
import { selectVariant } from './echo.ts';
import { ID } from './status-examples.ts';

const ULID = /01[0-9A-Z]{24}/gi;
const ULID_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const AMOUNT_MAX = 5_000_000;
const AGE_MS_MAX = 24 * 60 * 60 * 1000;

/** The example with other values. Times keep their distances; the latest is at most a day before `now`, in milliseconds. */
export function varyExample(bundle: Bundle, schema: Schema, example: Json, random: Random, now: number): Json {
  const made = new Map<Json, Json>();
  const once = (old: Json, make: () => Json): Json => {
    const value = made.get(old) ?? make();
    made.set(old, value);
    return value;
  };
  const shift = now - random.below(AGE_MS_MAX) - latestTime(example);

  const items = (schemaOfItems: Schema, list: Json[]): Json[] => {
    const known = openEnum(resolve(bundle, schemaOfItems))?.known;
    if (!known) return list.map((one) => walk(schemaOfItems, one));
    const kept = known.filter(() => random.below(2) === 1);
    return kept.length > 0 ? kept : known.slice(0, 1);
  };
  const members = (schemaOfObject: Schema, object: JsonObject): JsonObject => {
    const { properties = {} } = selectVariant(bundle, schemaOfObject, object);
    const entries = Object.entries(object);
    return Object.fromEntries(
      entries.map(([name, one]) => [
        name,
        name === ID ? withUlid(String(one), once, random) : walk(properties[name] ?? {}, one),
      ]),
    );
  };
  const walk = (unresolved: Schema, value: Json): Json => {
    const own = resolve(bundle, unresolved);
    if (Array.isArray(value)) return items(own.items ?? {}, value);
    if (typeof value === 'object' && value !== null) return members(unresolved, value);
    if (typeof value === 'number' && own.format === 'int64' && value > 0) {
      return once(value, () => 100 + random.below(AMOUNT_MAX));
    }
    if (typeof value !== 'string') return value;
    if (own.format === 'date-time') return new Date(Date.parse(value) + shift).toISOString().replace(/\.\d+/, '');
    return value
      .replace(ULID, (old) => String(once(old, () => ulid(random, old))))
      .replace(/^([a-z]+)-\d+$/, (old, word) => String(once(old, () => `${word}-${1000 + random.below(9000)}`)));
  };
  return walk(schema, example);
}

type Once = (old: Json, make: () => Json) => Json;

/** Generates an ID in the service's format, and replaces an ID that selects a status. */
function withUlid(id: string, once: Once, random: Random): Json {
  const [prefix] = id.split('_');
  return once(id, () => `${prefix}_${ulid(random)}`);
}

/** Lower-case if the other one is. */
function ulid(random: Random, old = ''): string {
  const made = `01${Array.from({ length: 24 }, () => random.pick([...ULID_DIGITS])).join('')}`;
  return old === old.toUpperCase() ? made : made.toLowerCase();
}

function latestTime(value: Json): number {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return Date.parse(value);
  if (typeof value !== 'object' || value === null) return Number.NEGATIVE_INFINITY;
  return Math.max(Number.NEGATIVE_INFINITY, ...Object.values(value).map(latestTime));
}

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
