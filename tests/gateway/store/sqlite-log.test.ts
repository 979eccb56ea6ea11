/**
 * SQLite's write-ahead log after a kill, deleted or damaged. The database is then in the state of an earlier commit,
 * never in between. Later commits are lost, as docs/operations.md says.
 */

import { readFileSync } from 'node:fs';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { openSqlite } from '../../../gateway/src/database/sqlite/sqlite-store.ts';
import { type Store, StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { afterwards, openTestSqlite, temporaryFolder } from '../harness.ts';

const COMMITS = 12;
/** Rows per commit, more than fit on a page. */
const ROWS = 40;
/** Sizes of the log's header, and of a frame: a page and its header. */
const LOG_HEAD = 32;
const FRAME = 24 + 4096;

let image = '';
let log: Buffer;

beforeAll(async () => {
  const folder = await temporaryFolder();
  const running = join(folder, 'running.db');
  const store = openSqlite(running);
  afterwards(() => store.close());
  await store.unit(async (db) => db.run('create table counted (commit_number integer not null, text text not null)'));
  for (let number = 1; number <= COMMITS; number++) {
    await store.unit(async (db) => {
      for (let row = 0; row < ROWS; row++) await db.run('insert into counted values (?, ?)', number, 'x'.repeat(200));
    });
  }
  // The files as after a kill: the store is still open.
  image = join(folder, 'killed.db');
  await copyFile(running, image);
  log = await readFile(`${running}-wal`);
});

/** Opens the database with this log, and returns its last commit. Throws if a commit is incomplete. */
async function lastCommit(damaged: Uint8Array | undefined): Promise<number> {
  const file = join(await temporaryFolder(), 'restarted.db');
  await copyFile(image, file);
  if (damaged) await writeFile(`${file}-wal`, damaged);
  const store = openSqlite(file);
  try {
    if (!(await store.hasTable('counted'))) return 0;
    const rows = await store.read.all(
      'select commit_number as number, count(*) as rows from counted group by 1 order by 1',
    );
    expect(rows).toEqual(rows.map((_, index) => ({ number: index + 1, rows: ROWS })));
    return rows.length;
  } finally {
    await store.close();
    await rm(file);
  }
}

describe('the log of a killed gateway', () => {
  it('has every commit, which are lost if it is deleted before a checkpoint', async () => {
    expect(await lastCommit(log)).toBe(COMMITS);
    expect(await lastCommit(undefined)).toBe(0);
  });

  it('is applied up to the last commit before the damage', async () => {
    const place = fc.integer({ min: LOG_HEAD, max: log.length - 1 });
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const damaged = Buffer.from(log);
        damaged[at] = (damaged[at] ?? 0) ^ change;
        const applied = await lastCommit(damaged);
        const before = await lastCommit(log.subarray(0, LOG_HEAD + Math.floor((at - LOG_HEAD) / FRAME) * FRAME));
        expect(applied).toBe(before);
      }),
      { numRuns: 25 },
    );
  });
});

/** A migrated store whose next sync the test ends. Later ones end at once. */
async function storeOnDisk() {
  const sync = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const disk = { obedient: true, syncs: 0 };
  const store = openSqlite(join(await temporaryFolder(), 'gateway.db'), {
    sync: async () => {
      disk.syncs += 1;
      if (disk.obedient) return;
      disk.obedient = true;
      asked.resolve();
      await sync.promise;
    },
  });
  afterwards(() => store.close());
  await migrate(store);
  Object.assign(disk, { obedient: false, syncs: 0 });
  return { store, sync, asked: asked.promise, disk };
}

const setVersion = (store: Store, version: number) =>
  store.unit((db) => db.run('update schema_version set version = ?', version));
const readVersion = (store: Store) => store.read.get('select version from schema_version');

it('a unit of work, and each read of its writes, wait for the disk', async () => {
  const { store, sync, asked } = await storeOnDisk();
  const heard: string[] = [];
  const written = setVersion(store, 77).then(() => heard.push('written'));
  await asked;
  const read = readVersion(store).then((row) => heard.push(`read ${row?.['version']}`));
  for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate);
  expect(heard).toEqual([]);
  sync.resolve();
  await Promise.all([written, read]);
  expect(heard.toSorted()).toEqual(['read 77', 'written']);
});

it('a failed sync disables further reads and writes', async () => {
  const { store, sync, asked, disk } = await storeOnDisk();
  const lost = setVersion(store, 77);
  await asked;
  sync.reject(new Error('EIO'));
  await expect(lost).rejects.toThrow(StoreUnavailable);
  await expect(readVersion(store)).rejects.toThrow('the disk has failed; restart the gateway');
  await expect(setVersion(store, 78)).rejects.toThrow(StoreUnavailable);
  expect(disk.syncs).toBe(1);
});

it('a read sees commits made earlier in the same tick', async () => {
  const store = await openTestSqlite();
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
  const alone = () => readFileSync(join(crashed, 'gateway.db')).includes('schema_version');
  expect(alone()).toBe(false);
  const next = openSqlite(join(crashed, 'gateway.db'));
  afterwards(() => next.close());
  expect(alone()).toBe(true);
  expect(await readVersion(next)).toEqual({ version: 55 });
});
