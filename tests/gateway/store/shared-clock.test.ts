import { expect, it } from 'vitest';
import { sharedClock } from '../../../gateway/src/database/shared-clock.ts';
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

/** A database whose time is 500 ms ahead until the test changes it, and a clock that follows it. */
async function startFollowing() {
  const own = new ManualClock(START);
  const database = { ahead: 500, respond: () => undefined as unknown };
  const times: number[] = [];
  const serverTime = async () => {
    database.respond();
    return own.now() + database.ahead;
  };
  const onServerTime = (time: number) => times.push(time);
  const clock = await sharedClock({ serverTime }, stopped(), { own, onServerTime });
  const passTime = async (ms: number) => {
    own.advance(ms);
    await new Promise(setImmediate);
  };
  return { own, clock, database, times, passTime };
}

it('follows the database, even through jumps, and wakes its waiters', async () => {
  const { own, clock, database, times, passTime } = await startFollowing();
  expect(clock.now()).toBe(START + 500);
  const woken = clock.until(START + 700, stopped());
  own.advance(200);
  await woken;
  for (const ahead of [-300, 24 * HOUR_MS]) {
    database.ahead = ahead;
    await passTime(10_000);
    expect(clock.now()).toBe(own.now() + ahead);
  }
  expect(times).toEqual([START + 500, START + 10_200 - 300, START + 20_200 + 24 * HOUR_MS]);
});

it.each([
  ['slow', (own: ManualClock) => own.advance(201)],
  ['missing', () => expect.fail('the database is gone')],
])('keeps its last offset when a response is %s', async (_what, respond) => {
  const { own, clock, database, passTime } = await startFollowing();
  database.respond = () => respond(own);
  await passTime(10_000);
  expect(clock.now()).toBe(own.now() + 500);
});
