/**
 * SQLite's write-ahead log after a kill, deleted or damaged. The database is then in the state of an earlier commit,
 * never in between. Later commits are lost, as docs/operations.md says.
 */
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../gateway/src/database/sqlite/sqlite-store.ts';
import { afterwards, temporaryFolder } from '../harness.ts';

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
  it('has every commit, and is applied at the next start', async () => {
    expect(await lastCommit(log)).toBe(COMMITS);
  });

  it('loses its commits if it is deleted before a checkpoint', async () => {
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
