/** Refuses what headers cannot carry, before fetch sees it: errors of fetch quote the value, which may be a secret. */

const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/;

/** Throws a TypeError that has the name, the character and its position, and never the value. */
export function checkHeaders(values: Readonly<Record<string, unknown>>): void {
  for (const name in values) {
    for (const value of [values[name]].flat()) {
      const position = `${value}`.search(UNSENDABLE);
      if (position < 0) continue;
      const code = `${value}`.charCodeAt(position).toString(16).toUpperCase().padStart(4, '0');
      throw new TypeError(`${name} contains U+${code} at position ${position}, which a header cannot carry. Remove it`);
    }
  }
}
