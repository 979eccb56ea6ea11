/** docs/operations/upgrading.md follows the migrations. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { knownVersion } from '../../../gateway/src/store/engine/migrate.ts';
import { openTestSqlite } from '../harness/stores.ts';

const guide = await readFile(new URL('../../../docs/operations/upgrading.md', import.meta.url), 'utf8');
/** Schemas of the rows, from one to another, and what they say about older gateways. */
const rows = [...guide.matchAll(/^\| (\d+)(?: to (\d+))? \| ([^|]+) \|/gm)].map(
  ([, from, to = from, gateways = '']) => ({
    from: Number(from),
    to: Number(to),
    gateways,
  }),
);

it('the guide for upgrades has each schema once, the newest first', async () => {
  const store = await openTestSqlite();
  const listed = rows.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => to - index));
  const newest = knownVersion(store);
  expect(listed).toEqual(Array.from({ length: listed.length }, (_, index) => newest - index));
  expect(listed.at(-1)).toBe(6);
});

it('the guide says which gateways can run next to the newest schema, as the schema does', async () => {
  const store = await openTestSqlite();
  const row = await store.read.get('select usable_by from schema_usability');
  expect(rows[0]?.gateways).toBe(`Run next to it from ${row?.['usable_by']} on`);
});
