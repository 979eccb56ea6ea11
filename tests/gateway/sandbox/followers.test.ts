import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EventStream } from '../../../gateway/src/http/event-stream.ts';
import { Followers } from '../../../gateway/src/sandbox/followers.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { START } from '../harness/fixtures.ts';

const TOTAL_MAX = 500;

let followers: Followers;
beforeEach(() => {
  followers = new Followers(new ManualClock(START));
});
afterEach(() => followers.close());

/** Opens up to this many streams. */
function follow(merchantId: number, network: string, times: number): EventStream[] {
  return Array.from({ length: times }, () =>
    followers.add({ merchantId, network, isAdmitted: async () => true }),
  ).filter((stream) => stream !== undefined);
}

const open = (streams: readonly EventStream[]) => streams.filter((stream) => !stream.isClosed);

it('25 merchants with all streams yield some to other merchants', () => {
  const taken = Array.from({ length: 25 }, (_, index) => follow(index + 1, '192.0.2.1', 20)).flat();
  expect(taken).toHaveLength(TOTAL_MAX);
  const late = follow(100, '192.0.2.1', 20);
  expect(late.length).toBeGreaterThanOrEqual(15);
  expect(open([...taken, ...late]).length).toBeLessThanOrEqual(TOTAL_MAX);
});

it('one address with all streams, one per merchant, yields some to other addresses', () => {
  const taken = Array.from({ length: TOTAL_MAX }, (_, index) => follow(index + 1, '192.0.2.1', 1)).flat();
  expect(taken).toHaveLength(TOTAL_MAX);
  expect(follow(1_000, '198.51.100.1', 20)).toHaveLength(20);
  expect(follow(1_001, '192.0.2.1', 1)).toHaveLength(0);
});

it('a merchant with few streams keeps them when others open more', () => {
  const small = follow(1, '198.51.100.1', 2);
  for (let index = 2; index < 40; index++) follow(index, '192.0.2.1', 20);
  expect(open(small)).toHaveLength(2);
});

it('a merchant has at most 20 streams, and may open another when one ends', async () => {
  const [first, ...rest] = follow(1, '192.0.2.1', 21);
  expect(rest).toHaveLength(19);
  await first?.readable.cancel();
  expect(follow(1, '192.0.2.1', 2)).toHaveLength(1);
});

it('sends no event to an ended stream, which counts until its client has read the rest', async () => {
  const streams = follow(1, '192.0.2.1', 20);
  followers.endMerchant(1);
  followers.send(1, 'late');
  expect(follow(1, '192.0.2.1', 1)).toHaveLength(0);
  for (const stream of streams)
    expect(await stream.readable.getReader().read()).toEqual({ done: true, value: undefined });
  expect(follow(1, '192.0.2.1', 20)).toHaveLength(20);
});
