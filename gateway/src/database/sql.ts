/** Building blocks of SQL. */
import type { Row, Value } from './store.ts';

/** The conditions with a defined value, such as `{ 'id > ?': after }`, as SQL with the values. */
export function whereAll(conditions: Readonly<Record<string, Value | undefined>>): {
  readonly where: string;
  readonly values: readonly Value[];
} {
  const given = Object.entries(conditions).filter((one): one is [string, Value] => one[1] !== undefined);
  return { where: ['1 = 1', ...given.map(([sql]) => sql)].join(' and '), values: given.map(([, value]) => value) };
}

/** Reads pages of up to `limit` entries, each after the last entry of the page before. Leaves out an empty page. */
export async function* keysetPages<T>(
  limit: number,
  read: (last: T | undefined) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  for (let last: T | undefined, more = true; more; ) {
    const page = await read(last);
    more = page.length === limit;
    last = page.at(-1);
    if (page.length > 0) yield page;
  }
}

// Pads lists of values in statements to a few sizes, so that few statements are prepared.

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

// Exact sums of amounts (docs/decisions/0002-one-sql-for-two-databases.md#amounts-and-sums). A sum may exceed the range
// of a number (2^53 − 1) or of SQLite's integers (2^63 − 1), so its high and its low part are added separately, and
// read as text.

/** The low part of an amount is its remainder modulo this. */
const LOW = 2 ** 32;

/** The columns of a sum, for a query that passes them on. */
export function sumColumns(name: string): readonly [high: string, low: string] {
  return [`${name}_high`, `${name}_low`];
}

/** The SQL of a sum of amounts, as the columns of a name. */
export function exactSum(amount: string, name: string): string {
  const [high, low] = sumColumns(name);
  return `cast(sum((${amount}) / ${LOW}) as text) as ${high}, cast(sum((${amount}) % ${LOW}) as text) as ${low}`;
}

/** Reads a named sum from a row, 0 for an empty sum. */
export function readSum(row: Row, name: string): bigint {
  const [high, low] = sumColumns(name).map((column) => BigInt(row[column] ?? 0));
  return (high ?? 0n) * BigInt(LOW) + (low ?? 0n);
}

/**
 * The statement without its row locks (`for update`, optionally of one table or with `skip locked`, and `for key share`), for a
 * database on which units of work are correct without them.
 */
export function withoutRowLocks(sql: string): string {
  return sql.replace(/\bfor (update( of \w+)?( skip locked)?|key share)/g, '');
}

/**
 * A column for the condition of a statement that finds a row by its key. Without it, PostgreSQL would prefer a partial
 * index on the column, which it takes to be nearly empty, and read its entries of dead rows. Null counts as infinite.
 */
export function withoutIndex(column: string): string {
  return `coalesce(${column}, ${Number.MAX_SAFE_INTEGER})`;
}
