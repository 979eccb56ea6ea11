/** Durability of an SQLite commit: it is reported only once synced to disk. */
import { readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { openSqlite } from '../../../gateway/src/database/sqlite/sqlite-store.ts';
import { type Store, StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { afterwards, temporaryFolder } from '../harness/afterwards.ts';

/** A store on a disk whose syncs the test controls. */
async function storeOnDisk() {
  const disk = { syncs: [] as PromiseWithResolvers<void>[], obedient: true };
  const store = openSqlite(join(await temporaryFolder(), 'gateway.db'), {
    sync: async () => {
      const sync = Promise.withResolvers<void>();
      disk.syncs.push(sync);
      if (disk.obedient) sync.resolve();
      await sync.promise;
    },
  });
  afterwards(() => {
    disk.obedient = true;
    for (const { resolve } of disk.syncs) resolve();
    return store.close();
  });
  await migrate(store);
  disk.syncs = [];
  disk.obedient = false;
  return { store, disk };
}

const setVersion = (store: Store, version: number) =>
  store.unit((db) => db.run('update schema_version set version = ?', version));
const readVersion = (store: Store) => store.read.get('select version from schema_version');

/** Waits until a sync is requested. */
async function asked(disk: { syncs: unknown[] }, times: number): Promise<void> {
  while (disk.syncs.length < times) await turn();
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

it('a unit of work, and each read of its writes, wait for the disk', async () => {
  const { store, disk } = await storeOnDisk();
  const heard: string[] = [];
  const written = setVersion(store, 77).then(() => heard.push('written'));
  await asked(disk, 1);
  const read = readVersion(store).then((row) => heard.push(`read ${row?.['version']}`));
  for (let turns = 0; turns < 10; turns++) await turn();
  expect(heard).toEqual([]);
  disk.syncs[0]?.resolve();
  await Promise.all([written, read]);
  expect(heard.toSorted()).toEqual(['read 77', 'written']);
});

it('units that arrive during a sync are committed together after it', async () => {
  const { store, disk } = await storeOnDisk();
  const first = setVersion(store, 1);
  await asked(disk, 1);
  const later = [setVersion(store, 2), setVersion(store, 3)];
  for (let turns = 0; turns < 10; turns++) await turn();
  expect(disk.syncs).toHaveLength(1);
  disk.syncs[0]?.resolve();
  await first;
  await asked(disk, 2);
  disk.syncs[1]?.resolve();
  await Promise.all(later);
  expect(disk.syncs).toHaveLength(2);
});

it('a failed sync disables further reads and writes', async () => {
  const { store, disk } = await storeOnDisk();
  const lost = setVersion(store, 77);
  await asked(disk, 1);
  disk.syncs[0]?.reject(new Error('EIO'));
  await expect(lost).rejects.toThrow(StoreUnavailable);
  await expect(readVersion(store)).rejects.toThrow('the disk has failed; restart the gateway');
  await expect(setVersion(store, 78)).rejects.toThrow(StoreUnavailable);
  expect(disk.syncs).toHaveLength(1);
});

it('a read sees commits made earlier in the same tick', async () => {
  const { store, disk } = await storeOnDisk();
  disk.obedient = true;
  const before = await readVersion(store);
  const [seen] = await Promise.all([setVersion(store, 77).then(() => readVersion(store)), readVersion(store)]);
  expect(before).not.toEqual({ version: 77 });
  expect(seen).toEqual({ version: 77 });
});

it("an opened store copies a crash's log into its file", async () => {
  const [lived, crashed] = await Promise.all([temporaryFolder(), temporaryFolder()]);
  const store = openSqlite(join(lived, 'gateway.db'));
  afterwards(() => store.close());
  await migrate(store);
  await setVersion(store, 55);
  for (const file of ['gateway.db', 'gateway.db-wal']) await copyFile(join(lived, file), join(crashed, file));
  const alone = () => {
    const bytes = readFileSync(join(crashed, 'gateway.db'));
    return bytes.length > 0 && bytes.includes('schema_version');
  };
  expect(alone()).toBe(false);
  const next = openSqlite(join(crashed, 'gateway.db'));
  afterwards(() => next.close());
  expect(alone()).toBe(true);
  expect(await readVersion(next)).toEqual({ version: 55 });
});
