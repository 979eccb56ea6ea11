/**
 * SQL and its calls belong to the database folder and to features with tables, not to routes, operations and commands.
 * The features read columns with the typed readers.
 */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../../scripts/tools/process.ts';

const SOURCES = join(ROOT, 'gateway/src');
const STORAGE = [
  ...['database', 'merchants', 'operators', 'ledger', 'webhooks', 'transactions', 'sandbox'].map(
    (name) => `${name}${sep}`,
  ),
  ...['pauses.ts'].map((name) => join('channels', name)),
  ...['audit.ts', 'proposal-rows.ts', 'restores.ts'].map((name) => join('management', name)),
];

/** Statements in lower case. Words in between may be on other lines. */
const STATEMENT =
  /\b(select\s[^;]+\sfrom\s|insert into\s|update\s+\w+\s+set\s|delete from\s|(create|alter|drop) (table|index)\s|pragma\s)/;
/** Calls of a Database: a store's `read`, or a unit's parameter, always named db. */
const CALL = /(\.read|\bdb)\s*\.(all|get|run)\(/;
/** A column of a row, such as `row['id']` or `rows.at(-1)?.['id']`. */
const COLUMN = /\b(rows?|stored|batch)(\[\w+\]|\.at\(-1\))?(\?\.)?\['\w+'\]/;
const COMMENTS = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm;

function findSql(source: string): string[] {
  const code = source.replaceAll(COMMENTS, '');
  return [STATEMENT, CALL].flatMap((pattern) => pattern.exec(code)?.[0] ?? []);
}

it('the gateway reads columns with row-mapper.ts outside of the database folder', async () => {
  const files = globSync('**/*.ts', { cwd: SOURCES }).filter((file) => !file.startsWith('database'));
  const found = await Promise.all(
    files.map(async (file) => {
      const [column] = COLUMN.exec(await readFile(join(SOURCES, file), 'utf8')) ?? [];
      return column === undefined ? [] : [`${file}: ${column}`];
    }),
  );
  expect(found.flat()).toEqual([]);
});

it('the gateway has no SQL outside of storage', async () => {
  const files = globSync('**/*.{js,ts}', { cwd: SOURCES });
  const outside = files.filter((file) => !STORAGE.some((folder) => file.startsWith(folder)));
  expect(outside.length).toBeGreaterThan(40);
  const found = await Promise.all(
    outside.map(async (file) => findSql(await readFile(join(SOURCES, file), 'utf8')).map((sql) => `${file}: ${sql}`)),
  );
  expect(found.flat()).toEqual([]);
});
