/** Identifiers: a prefix for the kind, 48 bits of time and 80 random bits, in Crockford's base 32. */
import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RANDOM_CHARS = 16;

// Random bytes are drawn in blocks, since a call for each identifier costs more than all the rest of it.
const pool = Buffer.alloc(4096);
let used = pool.length;

export type IdPrefix = 'pay' | 'out' | 'evt' | 'led' | 'key' | 'sec' | 'req';

/** A new identifier, such as `pay_01KJPWD6M0J09BZPCH3ETT3T8D`. Later ones sort after earlier ones. */
export function newId(prefix: IdPrefix, now: number): string {
  return firstId(prefix, now) + randomText(RANDOM_CHARS);
}

/** What sorts before every identifier of this time, in milliseconds since 1970, and after every earlier one. */
export function firstId(prefix: IdPrefix, now: number): string {
  let time = '';
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = ALPHABET.charAt(rest % 32) + time;
  return `${prefix}_${time}`;
}

/** Random characters of 5 bits each. */
export function randomText(length: number): string {
  if (used + length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  let text = '';
  for (let i = 0; i < length; i++) text += ALPHABET.charAt((pool[used + i] ?? 0) & 31);
  used += length;
  return text;
}
