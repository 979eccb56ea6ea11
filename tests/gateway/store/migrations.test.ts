import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/store/migrate.ts';
import { describeOnEachStore } from '../harness.ts';

const FILES = (await readdir(new URL('../../../gateway/src/store/migrations/', import.meta.url))).sort();

describeOnEachStore('migrations', (open, database) => {
  it('are applied in their order to an empty database, and once', async () => {
    const store = (await database()).connect();
    expect(await migrate(store)).toEqual(FILES);
    expect(await migrate(store)).toEqual([]);
  });

  it('are applied by one of several processes that start at once', async () => {
    const shared = await database();
    const stores = Array.from({ length: 5 }, () => shared.connect());
    const applied = await Promise.all(stores.map(migrate));
    expect(applied.flat()).toEqual(FILES);
  });

  it('refuse a database that is newer, and say what to do', async () => {
    const store = await open();
    await store.unit((db) => db.run('update schema_version set version = version + 1'));
    await expect(migrate(store)).rejects.toThrow(
      `the database is at version ${FILES.length + 1}, newer than the ${FILES.length} that this gateway knows: update the gateway`,
    );
  });
});
