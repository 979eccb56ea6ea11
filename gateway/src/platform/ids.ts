/** Identifiers and other random values, injected so that a seed reproduces them. */
import { fillRandom, hmac, randomBytes } from './crypto.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;
const OWN_CHARS = 16;
/** Number of digits of the counter, which wraps at a million. */
const ORDER_CHARS = 4;
const ORDER_END = 32 ** ORDER_CHARS;
/** Bytes of one HMAC. */
const BLOCK_BYTES = 32;

// Random bytes are drawn in blocks, since a call per identifier would dominate its cost.
const pool = new Uint8Array(4096);
let used = pool.length;
let order = 0;

export type IdPrefix =
  | 'pay'
  | 'out'
  | 'evt'
  | 'led'
  | 'key'
  | 'sec'
  | 'req'
  | 'rul'
  | 'arc'
  | 'opr'
  | 'opk'
  | 'chg'
  | 'prp'
  | 'stm'
  | 'dif';

/** Purpose of a generated value. No two values share one, since a seed generates the same value for it. */
export type Purpose = readonly (string | number)[];

export interface Ids {
  /**
   * A new identifier, such as `pay_01KJPWD6M0J09BZPCH3ETT3T8D`: a prefix for the kind, 48 bits of time and 80 random
   * bits, in Crockford's base 32. Later ones sort after earlier ones. Within a millisecond, for example while a
   * merchant's clock is frozen, they sort in the order in which this process created them, or with a seed in any order.
   */
  newId(prefix: IdPrefix, now: number, ...purpose: Purpose): string;
  /** Random characters of 5 bits each. */
  text(length: number, ...purpose: Purpose): string;
  /** Random bytes for keys and secrets. */
  bytes(length: number, ...purpose: Purpose): Uint8Array;
  /** Part of a purpose that depends on the order of calls, such as a request: with a seed 1, 2, 3 … */
  count(): number;
  /** A random number from 0 up to 1. */
  fraction(...purpose: Purpose): number;
}

/** Unpredictable values; ignores purposes. */
export const randomIds: Ids = {
  newId(prefix, now) {
    order = (order + 1) % ORDER_END;
    return firstId(prefix, now) + digits(order, ORDER_CHARS) + randomText(OWN_CHARS - ORDER_CHARS);
  },
  text: randomText,
  bytes: (length) => randomBytes(length),
  count: () => 0,
  fraction: () => Math.random(),
};

/**
 * Derived from the seed and the purpose alone, so that the order of calls doesn't matter. Anyone with the seed can
 * guess it.
 */
export function seededIds(seed: string): Ids {
  const bytes: Ids['bytes'] = (length, ...purpose) => {
    const blocks = Math.ceil(length / BLOCK_BYTES);
    const made = new Uint8Array(blocks * BLOCK_BYTES);
    for (let block = 0; block < blocks; block++) {
      made.set(hmac(seed, JSON.stringify([...purpose, block])), block * BLOCK_BYTES);
    }
    return made.subarray(0, length);
  };
  const text: Ids['text'] = (length, ...purpose) => encode(bytes(length, ...purpose), 0, length);
  let counted = 0;
  return {
    newId: (prefix, now, ...purpose) => firstId(prefix, now) + text(OWN_CHARS, prefix, ...purpose),
    text,
    bytes,
    count: () => ++counted,
    fraction: (...purpose) => new DataView(bytes(4, ...purpose).buffer).getUint32(0) / 2 ** 32,
  };
}

/** Seeded values, or random ones without a seed. */
export function createIds(seed: string | undefined): Ids {
  return seed ? seededIds(seed) : randomIds;
}

/** The lower bound of the ids of this time (milliseconds since 1970): it sorts after every earlier id. */
export function firstId(prefix: IdPrefix, now: number): string {
  return `${prefix}_${digits(now, TIME_CHARS)}`;
}

const ID = new RegExp(`^[a-z]{3}_[${ALPHABET}]{${TIME_CHARS + OWN_CHARS}}$`);

/** Parses the time of an id, in milliseconds since 1970. Returns undefined for an invalid id. */
export function idTime(id: string): number | undefined {
  if (!ID.test(id)) return undefined;
  return [...id.slice(4, 4 + TIME_CHARS)].reduce((time, digit) => time * 32 + ALPHABET.indexOf(digit), 0);
}

function digits(value: number, length: number): string {
  let text = '';
  for (let rest = value, i = 0; i < length; i++, rest = Math.floor(rest / 32)) text = ALPHABET.charAt(rest % 32) + text;
  return text;
}

function randomText(length: number): string {
  if (used + length > pool.length) {
    fillRandom(pool);
    used = 0;
  }
  const text = encode(pool, used, length);
  used += length;
  return text;
}

function encode(bytes: Uint8Array, from: number, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += ALPHABET.charAt((bytes[from + i] ?? 0) & 31);
  return text;
}

/** Milliseconds since 1970: the first time, and the one after the last. */
export interface CreatedRange {
  readonly from?: number | undefined;
  readonly before?: number | undefined;
}

/** Ids from one on, and before another. */
export interface IdRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Ids of rows created in a range of time. */
export function idRange(prefix: IdPrefix, { from, before }: CreatedRange): IdRange {
  const bound = (time: number | undefined) => (time === undefined ? undefined : firstId(prefix, Math.max(time, 0)));
  return { from: bound(from), to: bound(before) };
}
