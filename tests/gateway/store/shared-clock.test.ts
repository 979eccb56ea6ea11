import { expect, it } from 'vitest';
import { sharedClock } from '../../../gateway/src/database/shared-clock.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { START } from '../harness/fixtures.ts';
import { afterwards, openTestSqlite, postgresDatabase } from '../harness.ts';

const HOUR_MS = 3_600_000;
/** The maximum duration of a response from a local database. */
const NEAR_MS = 5_000;

function stopped(): AbortSignal {
  const stopping = new AbortController();
  afterwards(async () => stopping.abort());
  return stopping.signal;
}

/** A database with a given time. */
function createDatabase(time: () => number): Store {
  return { serverTime: async () => time() } as Partial<Store> as Store;
}

it('uses the database’s time on PostgreSQL, regardless of the machine’s clock', async () => {
  const store = (await postgresDatabase()).connect();
  const own = { now: () => Date.now() - HOUR_MS, until: async () => new Promise<void>(() => undefined) };
  const clock = await sharedClock(store, stopped(), { own });
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(NEAR_MS);
  expect(Number.isInteger(clock.now())).toBe(true);
});

it('uses the machine’s time on SQLite', async () => {
  const own = new ManualClock(START);
  expect(await sharedClock(await openTestSqlite(), stopped(), { own })).toBe(own);
});

it('follows the database, and wakes its waiters', async () => {
  const own = new ManualClock(START);
  let ahead = 500;
  const clock = await sharedClock(
    createDatabase(() => own.now() + ahead),
    stopped(),
    { own },
  );
  expect(clock.now()).toBe(START + 500);
  const woken = clock.until(START + 700, stopped());
  own.advance(200);
  await woken;
  ahead = -300;
  own.advance(10_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(clock.now()).toBe(own.now() - 300);
});

it.each([
  ['slow', (clock: ManualClock) => clock.advance(201)],
  ['missing', () => expect.fail('the database is gone')],
])('keeps its last offset when a response is %s', async (_what, respond) => {
  const own = new ManualClock(START);
  let trouble: (clock: ManualClock) => void = () => undefined;
  const database = createDatabase(() => {
    trouble(own);
    return own.now() + 500;
  });
  const clock = await sharedClock(database, stopped(), { own });
  trouble = respond;
  own.advance(10_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(clock.now()).toBe(own.now() + 500);
});

it("follows jumps of the database's time", async () => {
  const own = new ManualClock(START);
  let ahead = 0;
  const times: number[] = [];
  const clock = await sharedClock(
    createDatabase(() => own.now() + ahead),
    stopped(),
    { own, onServerTime: (time) => times.push(time) },
  );
  ahead = 24 * HOUR_MS;
  own.advance(10_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(clock.now()).toBe(START + 10_000 + 24 * HOUR_MS);
  expect(times).toEqual([START, clock.now()]);
});
