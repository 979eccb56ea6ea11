/** Pads lists of values in statements to a few sizes, so that few statements are prepared. */

const SIZES = [1, 4, 16, 64];

/** Groups the items by one of the sizes. The last group is padded with nulls, which match no row. */
export function* batches<T>(items: readonly T[]): Generator<(T | null)[]> {
  const most = SIZES.at(-1) ?? 1;
  for (let start = 0; start < items.length; start += most) {
    const group: (T | null)[] = items.slice(start, start + most);
    const size = SIZES.find((candidate) => candidate >= group.length) ?? most;
    while (group.length < size) group.push(null);
    yield group;
  }
}

/** A placeholder per value, for a list in parentheses. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
