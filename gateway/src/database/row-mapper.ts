/** Maps rows to typed objects. Each table has one mapper, next to its statements. */
import type { Row, Value } from './store.ts';

/** Reads a column. Throws if the statement doesn't select it, or returned no row. */
export type Column<T> = (row: Row | undefined) => T;

/** The columns of an object's members. */
export type Columns<T> = { readonly [K in keyof T]-?: (row: Row) => T[K] };

/**
 * Returns a function that makes an object of a row:
 * `rowMapper({ id: integer('id'), name: text('name'), expiresAt: optional('expires_at', Number) })`.
 */
export function rowMapper<T extends object>(columns: Columns<T>): (row: Row) => T {
  const members = Object.entries(columns) as [string, Column<unknown>][];
  return (row) => {
    const made: Record<string, unknown> = {};
    for (const [name, read] of members) made[name] = read(row);
    return made as T;
  };
}

export function text<T extends string = string>(column: string): Column<T> {
  return (row) => String(readColumn(row, column)) as T;
}

/** An integer, such as an amount in minor units or a time in milliseconds since 1970. Drivers refuse those beyond 2^53. */
export function integer(column: string): Column<number> {
  return (row) => Number(readColumn(row, column));
}

/** A truth value, stored as 1 or 0. */
export function flag(column: string): Column<boolean> {
  return (row) => readColumn(row, column) === 1;
}

export function json<T>(column: string): Column<T> {
  return (row) => JSON.parse(String(readColumn(row, column))) as T;
}

/** A column that may be null, which becomes undefined. `convert` may read further columns of the row. */
export function optional<T>(column: string, convert: (value: Value, row: Row) => T): Column<T | undefined> {
  return (row) => {
    const value = readColumn(row, column);
    return value === null ? undefined : convert(value, row as Row);
  };
}

function readColumn(row: Row | undefined, column: string): Value {
  const value = row?.[column];
  if (value === undefined) throw new Error(`the statement selects no column ${column}`);
  return value;
}
