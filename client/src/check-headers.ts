/** Refuses what headers cannot carry, before fetch sees it: errors of fetch quote the value, which may be a secret. */
import { findCharacter } from './find-character.ts';

const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/;

/** Throws a TypeError that has the name, the character and its position, and never the value. */
export function checkHeaders(values: Readonly<Record<string, unknown>>): void {
  for (const name in values) {
    for (const value of [values[name]].flat()) {
      const found = findCharacter(`${value}`, UNSENDABLE);
      if (found) throw new TypeError(`${name} contains ${found}, which a header cannot carry. Remove it`);
    }
  }
}
