/**
 * The portable profile of PostgreSQL: serializable transactions with retries after conflicts, and only portable
 * features.
 */
import { describe, expect, it } from 'vitest';
import { type Database, Rejection, type Store } from '../../../gateway/src/database/store.ts';
import { injectConflicts } from '../harness/conflicts.ts';
import { START } from '../harness/fixtures.ts';
import { openTestPostgres } from '../harness.ts';
import { carryLoad } from './conflicting-load.ts';

/** Features that other databases lack or restrict. */
const POSTGRES_ONLY = /for (no key )?update|for (key )?share|skip locked|advisory|lock table|temporary/i;

/** A store with tables, in which each writing transaction fails with this probability. */
async function openConflicting(share: number, code?: string) {
  const conflicts = injectConflicts('conflicting', share, code);
  return { conflicts, store: await openTestPostgres(conflicts.connection) };
}

function insertMerchant(db: Database, id: number): Promise<number> {
  return db.run('insert into merchants (id, name, created_at) values (?, ?, ?)', id, `m${id}`, START);
}

async function merchantIds({ read }: Store): Promise<unknown[]> {
  return (await read.all('select id from merchants order by id')).map(({ id }) => id);
}

const IDS = Array.from({ length: 40 }, (_, index) => index + 1);
/** Units started concurrently. */
const GROUP = 4;

describe.each([
  ['alone', undefined],
  ['with others in one transaction', []],
])('a unit of work committed %s', (_how, together) => {
  it('is applied once, regardless of which statement or commit has a conflict', async () => {
    const { conflicts, store } = await openConflicting(0.5);
    let runs = 0;
    const insert = (id: number) => (db: Database) => {
      runs += 1;
      return insertMerchant(db, id);
    };
    for (let start = 0; start < IDS.length; start += GROUP) {
      const group = IDS.slice(start, start + GROUP);
      const done = await Promise.all(group.map((id) => store.unit(insert(id), { together })));
      expect(done).toEqual(group.map(() => 1));
    }
    expect(await merchantIds(store)).toEqual(IDS);
    expect(runs).toBeGreaterThan(IDS.length);
    expect(conflicts.injected.statement).toBeGreaterThan(0);
    expect(conflicts.injected.commit).toBeGreaterThan(0);
  });

  it('is unavailable and rolled back if every attempt ends with a conflict', async () => {
    const { conflicts, store } = await openConflicting(1);
    const failing = store.unit((db) => insertMerchant(db, 1), { together });
    await expect(failing).rejects.toMatchObject({ name: 'StoreUnavailable', reason: 'busy' });
    expect(await merchantIds(store)).toEqual([]);
    expect(conflicts.injected.statement + conflicts.injected.commit).toBeGreaterThanOrEqual(20);
  });
});

it('a commit with an unknown outcome is unavailable instead of retried', async () => {
  const { conflicts, store } = await openConflicting(1, '40003');
  let runs = 0;
  const ask = () =>
    store.unit(async () => {
      runs += 1;
    });
  while (conflicts.injected.commit === 0) await expect(ask()).rejects.toMatchObject({ name: 'StoreUnavailable' });
  expect(runs).toBe(conflicts.injected.commit);
});

it('a conflict reruns a unit even if the unit has caught it or failed later', async () => {
  const { store } = await openConflicting(0.5);
  const catching = IDS.map((id) =>
    store.unit(async (db) => {
      const inserted = await insertMerchant(db, id).catch(() => 0);
      return inserted === 1 ? inserted : new Rejection('missing');
    }),
  );
  const together = IDS.map((id) =>
    store.unit((db) => Promise.allSettled([insertMerchant(db, -id), insertMerchant(db, -id - 100)])),
  );
  expect(await Promise.all(catching)).toEqual(IDS.map(() => 1));
  for (const outcome of (await Promise.all(together)).flat()) expect(outcome.status).toBe('fulfilled');
});

it("units that read each other's writes are serializable, although no row is locked", async () => {
  const { store } = await openConflicting(0);
  const insertNext = async (db: Database) =>
    insertMerchant(db, Number((await db.get('select count(*) as n from merchants'))?.['n']));
  await Promise.all(IDS.slice(0, 12).map(() => store.unit(insertNext)));
  expect(await merchantIds(store)).toEqual(IDS.slice(0, 12).map((id) => id - 1));
});

it('two gateways on one database process each transaction exactly once, with portable statements', async () => {
  const { conflicts, paidOut } = await carryLoad({ seed: 'short', payments: 16, share: 0.3 });
  expect(paidOut).toBe(4);
  for (const count of Object.values(conflicts.injected)) expect(count).toBeGreaterThan(0);
  expect([...conflicts.sent].filter((sql) => POSTGRES_ONLY.test(sql))).toEqual([]);
  expect(
    [...conflicts.sent].filter((sql) => sql.startsWith('begin') && !/isolation level serializable|read only/.test(sql)),
  ).toEqual([]);
});
