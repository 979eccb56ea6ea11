/** Typed objects of rows. Each table has one mapper, next to its statements. */
import type { Row, Value } from './store.ts';

/** Reads a column. */
export type Column<T> = (row: Row) => T;

/**
 * Returns a function that makes an object of a row:
 * `rowMapper({ id: integer('id'), name: text('name'), expiresAt: optional('expires_at', Number) })`.
 */
export function rowMapper<T extends object>(columns: { readonly [K in keyof T]: Column<T[K]> }): (row: Row) => T {
  const members = Object.entries(columns) as [string, Column<unknown>][];
  return (row) => Object.fromEntries(members.map(([name, read]) => [name, read(row)])) as T;
}

export function text<T extends string = string>(column: string): Column<T> {
  return (row) => String(readColumn(row, column)) as T;
}

/** An integer, such as an amount in minor units or a time in milliseconds since 1970. */
export function integer(column: string): Column<number> {
  return (row) => Number(readColumn(row, column));
}

/** A column that may be null, which is undefined in objects. */
export function optional<T>(column: string, convert: (value: Value) => T): Column<T | undefined> {
  return (row) => {
    const value = readColumn(row, column);
    return value === null ? undefined : convert(value);
  };
}

function readColumn(row: Row, column: string): Value {
  const value = row[column];
  if (value === undefined) throw new Error(`the statement selects no column ${column}`);
  return value;
}
