/** Statements with a list of values take one of a few numbers of them, so that there are few statements to prepare. */

const SIZES = [1, 4, 16, 64];

/** The items in groups of one of the sizes; the last group is filled up with nulls, which match no row. */
export function* batches<T>(items: readonly T[]): Generator<(T | null)[]> {
  const most = SIZES.at(-1) ?? 1;
  for (let start = 0; start < items.length; start += most) {
    const group: (T | null)[] = items.slice(start, start + most);
    const size = SIZES.find((candidate) => candidate >= group.length) ?? most;
    while (group.length < size) group.push(null);
    yield group;
  }
}

/** A mark for each value, for a list in parentheses. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
