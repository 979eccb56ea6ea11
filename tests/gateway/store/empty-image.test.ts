/** The empty database that starts copy instead of migrating, and its form in a script. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyImage } from '../../../gateway/src/database/empty-image.ts';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { loadSqlite } from '../../../gateway/src/database/wasm/load-sqlite.ts';
import { packSparse, unpackSparse } from '../../../gateway/src/database/wasm/sparse-bytes.ts';
import { openWasm } from '../../../gateway/src/database/wasm/wasm-store.ts';
import { packEmptyImage } from '../../../tsdown.page.ts';
import { addMerchant } from '../harness/fixtures.ts';
import { afterwards, sqliteDatabase } from '../harness.ts';

/** Definitions of tables and indexes, and the rows of each table. */
async function readContent({ read }: Store): Promise<object> {
  const schema = await read.all('select type, name, tbl_name, sql from sqlite_schema order by type, name');
  const tables = schema.filter(({ type }) => type === 'table').map(({ name }) => String(name));
  const rows = await Promise.all(tables.map(async (name) => [name, await read.all(`select * from "${name}"`)]));
  return { schema, rows: Object.fromEntries(rows) };
}

async function openImage(image: Uint8Array) {
  const store = openWasm(await loadSqlite(), { image });
  afterwards(() => store.close());
  return store;
}

describe('the empty database', () => {
  it("of a script equals the result of the migrations, on Node's SQLite", async () => {
    const migrated = (await sqliteDatabase()).connect();
    await migrate(migrated);
    const packed = JSON.stringify(await packEmptyImage());
    const copied = await openImage(unpackSparse(JSON.parse(packed)));
    expect(await readContent(copied)).toEqual(await readContent(migrated));
    expect(await migrate(copied)).toEqual([]);
    expect(packed.length).toBeLessThan(50_000);
  });

  it('is copied, so that stores are isolated', async () => {
    const image = await emptyImage(await loadSqlite());
    const [one, other] = [await openImage(image), await openImage(image)];
    const before = await readContent(other);
    await addMerchant(one);
    expect(await readContent(other)).toEqual(before);
    expect(await readContent(await openImage(image))).toEqual(before);
  });
});

describe('an image', () => {
  it('contains committed data only', async () => {
    const store = await openImage(await emptyImage(await loadSqlite()));
    await addMerchant(store);
    const undone = store.unit(async (db) => {
      await db.run('delete from merchants');
      throw new Error('undone');
    });
    const image = store.image();
    await expect(undone).rejects.toThrow('undone');
    expect(await readContent(await openImage(await image))).toEqual(await readContent(store));
  });
});

it('sparse bytes survive JSON unchanged', () => {
  const zeros = fc.integer({ min: 1, max: 40 }).map((length) => new Uint8Array(length));
  const bytes = fc
    .array(fc.oneof(zeros, fc.uint8Array()))
    .map((parts) => Uint8Array.from(parts.flatMap((p) => [...p])));
  fc.assert(
    fc.property(bytes, (given) => {
      expect(unpackSparse(JSON.parse(JSON.stringify(packSparse(given))))).toEqual(given);
    }),
  );
});
