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
const FOLDERS = ['database', 'merchants', 'operators', 'ledger', 'webhooks', 'transactions', 'sandbox'];
const FILES = ['channels/pauses.ts', 'management/audit.ts', 'management/proposal-rows.ts', 'management/restores.ts'];
const STORAGE = [...FOLDERS.map((name) => `${name}${sep}`), ...FILES.map((file) => join(file))];

/** Statements in lower case. Words in between may be on other lines. */
const STATEMENT =
  /\b(select\s[^;]+\sfrom\s|insert into\s|update\s+\w+\s+set\s|delete from\s|(create|alter|drop) (table|index)\s|pragma\s)/;
/** Calls of a Database: a store's `read`, or a unit's parameter, always named db. */
const CALL = /(\.read|\bdb)\s*\.(all|get|run)\(/;
/** A column of a row, such as `row['id']` or `rows.at(-1)?.['id']`. */
const COLUMN = /\b(rows?|stored|batch)(\[\w+\]|\.at\(-1\))?(\?\.)?\['\w+'\]/;
const COMMENTS = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm;

it('the gateway has SQL in storage only, and reads columns with row-mapper.ts outside of the database folder', async () => {
  const files = globSync('**/*.{js,ts}', { cwd: SOURCES });
  const outside = files.filter((file) => !STORAGE.some((folder) => file.startsWith(folder)));
  expect(outside.length).toBeGreaterThan(40);
  const found: string[] = [];
  for (const file of files.filter((one) => !one.startsWith('database'))) {
    const patterns = outside.includes(file) ? [COLUMN, STATEMENT, CALL] : [COLUMN];
    const code = (await readFile(join(SOURCES, file), 'utf8')).replaceAll(COMMENTS, '');
    found.push(...patterns.flatMap((pattern) => pattern.exec(code)?.[0] ?? []).map((sql) => `${file}: ${sql}`));
  }
  expect(found).toEqual([]);
});
