/** The properties of the store in a web page that depend on SQLite in WebAssembly, or on its connection. */

import { describe, expect, it } from 'vitest';
import { emptyImage } from '../../../gateway/src/database/empty-image.ts';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { type Database, type Store, StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { loadSqlite } from '../../../gateway/src/database/wasm/load-sqlite.ts';
import { unpackSparse } from '../../../gateway/src/database/wasm/sparse-bytes.ts';
import { openWasm } from '../../../gateway/src/database/wasm/wasm-store.ts';
import { createMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { packEmptyImage } from '../../../tsdown.page.ts';
import { addMerchant, START } from '../harness/fixtures.ts';
import { afterwards, sqliteDatabase } from '../harness.ts';

/** Opens a store on a copy of the image, by default one with the tables and no rows. */
async function openImage(options: Parameters<typeof openWasm>[1] = {}) {
  const sqlite3 = await loadSqlite();
  const store = openWasm(sqlite3, { image: await emptyImage(sqlite3), ...options });
  afterwards(() => store.close());
  return store;
}

async function names(db: Database): Promise<unknown[]> {
  return (await db.all('select name from merchants order by id')).map(({ name }) => name);
}

it('returns values as written, and refuses an integer that a number cannot represent', async () => {
  const store = await openImage();
  await store.unit((db) => db.run('create table things (value)'));
  for (const value of [-1, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, 1.5, null, '', 'a\0b', '✓ 🎉']) {
    await store.unit((db) => db.run('insert into things values (?)', value));
    expect(await store.read.get('select value from things where value is ?', value)).toEqual({ value });
  }
  await expect(store.read.get('select 9007199254740993 as sum')).rejects.toThrow(RangeError);
  expect(await store.read.get('select 1 as one')).toEqual({ one: 1 });
});

it('shows readers only committed data, even while a unit waits and after a rollback', async () => {
  const store = await openImage();
  const seen: unknown[] = [];
  const look = async () => seen.push(await names(store.read));
  await store.unit(async (db) => {
    await createMerchant(db, 'kept', START);
    await look();
  });
  const undone = store.unit(async (db) => {
    // Exceeds the page cache, so that pages of the table would be written early.
    const many = 'with recursive n(i) as (select 10 union all select i + 1 from n where i < 20000)';
    await db.run(`${many} insert into merchants (id, name, created_at) select -i, printf('%0400d', 0), 0 from n`);
    await look();
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await look();
  expect(seen).toEqual([[], ['kept'], ['kept'], ['kept']]);
});

it('keeps a snapshot unchanged by later units', async () => {
  const store = await openImage();
  await store.unit((db) => createMerchant(db, 'before', START));
  let later: Promise<unknown> | undefined;
  const seen = await store.snapshot(async (db) => {
    later = store.unit((unit) => createMerchant(unit, 'later', START));
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    return names(db);
  });
  expect(seen).toEqual(['before']);
  await later;
  expect(await names(store.read)).toEqual(['before', 'later']);
});

it('is unavailable while there is no room, keeps committed data, and recovers', async () => {
  const store = await openImage();
  await store.unit((db) => createMerchant(db, 'kept', START));
  const pages = await store.unit((db) => db.get('pragma page_count'));
  await store.unit((db) => db.get(`pragma max_page_count = ${pages?.['page_count']}`));
  const refused = store.unit((db) => createMerchant(db, 'x'.repeat(1_000_000), START));
  await expect(refused).rejects.toMatchObject({ reason: 'disk_full' });
  await expect(refused).rejects.toBeInstanceOf(StoreUnavailable);
  await store.unit((db) => db.get('pragma max_page_count = 1000000'));
  await store.ping();
  expect(await names(store.read)).toEqual(['kept']);
});

describe('a persistent store', () => {
  it('resolves units and reads once their commit is stored', async () => {
    const storing = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<Uint8Array>();
    const store = await openImage({
      keep: (image) => {
        begun.resolve(image);
        return storing.promise;
      },
    });
    const ended: string[] = [];
    const unit = store.unit((db) => createMerchant(db, 'kept', START)).then(() => ended.push('unit'));
    const image = await begun.promise;
    const read = names(store.read).then((seen) => ended.push(`read ${seen}`));
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    expect(ended).toEqual([]);
    storing.resolve();
    await Promise.all([unit, read]);
    expect(ended.sort()).toEqual(['read kept', 'unit']);
    expect(await names((await openImage({ image })).read)).toEqual(['kept']);
  });

  it('refuses writes after a commit that could not be stored, and reports the cause', async () => {
    let stored = 0;
    const store = await openImage({
      keep: async () => {
        if (++stored > 1) throw new Error('the browser is full');
      },
    });
    await store.unit((db) => createMerchant(db, 'kept', START));
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(store.unit((db) => createMerchant(db, 'lost', START))).rejects.toMatchObject({
        name: 'StoreUnavailable',
        reason: 'disk_failed',
        message: 'the browser is full',
      });
    }
    await expect(store.ping()).rejects.toThrow('the browser is full');
    expect(stored).toBe(2);
  });
});

/** Definitions of tables and indexes, and the rows of each table. */
async function readContent({ read }: Store): Promise<object> {
  const schema = await read.all('select type, name, tbl_name, sql from sqlite_schema order by type, name');
  const tables = schema.filter(({ type }) => type === 'table').map(({ name }) => String(name));
  const rows = await Promise.all(tables.map(async (name) => [name, await read.all(`select * from "${name}"`)]));
  return { schema, rows: Object.fromEntries(rows) };
}

it("the empty database equals the result of the migrations on Node's SQLite", async () => {
  const migrated = (await sqliteDatabase()).connect();
  await migrate(migrated);
  const packed = JSON.stringify(await packEmptyImage());
  const copied = await openImage({ image: unpackSparse(JSON.parse(packed)) });
  expect(await readContent(copied)).toEqual(await readContent(migrated));
  expect(await migrate(copied)).toEqual([]);
  expect(packed.length).toBeLessThan(50_000);
});

it('an image contains committed data only', async () => {
  const store = await openImage();
  await addMerchant(store);
  const undone = store.unit(async (db) => {
    await db.run('delete from merchants');
    throw new Error('undone');
  });
  const image = store.image();
  await expect(undone).rejects.toThrow('undone');
  expect(await readContent(await openImage({ image: await image }))).toEqual(await readContent(store));
});
