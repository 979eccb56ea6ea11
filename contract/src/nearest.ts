/** Suggestions for misspelled names. */

/** Letters and digits alone, so that `payment_succeeded` is close to `paymentSucceeded`. */
const BESIDES_WORDS = /[^\p{L}\p{N}]/gu;

/** Longer texts are compared by their beginning. */
const COMPARED_CHARS = 64;

/** A text with more mistakes than this is another name. */
const DISTANCE_MAX = 3;
/** Parts of the longer name that may differ. */
const PART_MAX = 0.6;

/** Returns the closest name, or the first of several. */
export function nearest(text: string, names: readonly string[]): { name: string; distance: number } | undefined {
  const given = compared(text);
  const [first] = names
    .map((name) => ({ name, distance: editDistance(given, compared(name)) }))
    .sort((a, b) => a.distance - b.distance);
  return first;
}

/** Returns a suggestion with a leading space, or an empty string if no name is close. */
export function didYouMean(text: string, names: readonly string[]): string {
  const found = nearest(text, names);
  const longest = Math.max(text.length, found?.name.length ?? 0);
  if (!found || found.distance > DISTANCE_MAX || found.distance >= longest * PART_MAX) return '';
  return ` Did you mean ${found.name}?`;
}

function compared(text: string): string {
  return text.slice(0, COMPARED_CHARS).toLowerCase().replaceAll(BESIDES_WORDS, '');
}

/** Levenshtein distance: the number of characters to insert, delete or replace. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const current = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
