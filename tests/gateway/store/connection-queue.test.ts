import { expect, it } from 'vitest';
import { ConnectionQueue, ROUND_TRIPS } from '../../../gateway/src/database/postgres/postgres-store.ts';

/** A queue whose work ends when the test resolves it. */
function createQueue(connections: number) {
  const queue = new ConnectionQueue(connections);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (priority: 'caller' | 'background', name: string, roundTrips = ROUND_TRIPS.unit) => {
    const done = Promise.withResolvers<void>();
    ends.set(name, done.resolve);
    return queue.run(priority, roundTrips, () => {
      begun.push(name);
      return done.promise;
    });
  };
  const end = async (...names: string[]) => {
    for (const name of names) ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, begun, run, end };
}

it('starts all callers immediately, and background work when there is room', async () => {
  const { queue, begun, run, end } = createQueue(2);
  for (const name of ['a', 'b', 'c']) run('caller', name);
  run('background', 'later');
  expect([begun, queue.waiting]).toEqual([['a', 'b', 'c'], 1]);
  await end('a');
  expect(begun).toHaveLength(3);
  await end('b');
  expect([begun.at(-1), queue.waiting]).toEqual(['later', 0]);
});

it('starts as much background work as fits when the callers are done', async () => {
  const { begun, run, end } = createQueue(3);
  for (const name of ['a', 'b', 'c']) run('caller', name);
  for (const name of ['x', 'y', 'z', 'last']) run('background', name);
  await end('a', 'b', 'c');
  expect(begun.slice(3)).toEqual(['x', 'y', 'z']);
  await end('y');
  expect(begun.at(-1)).toBe('last');
});

it.each([
  ['units of work', ROUND_TRIPS.unit],
  ['reads', ROUND_TRIPS.read],
])('background work is not starved when %s fill the pool', async (_name, roundTrips) => {
  const { begun, run, end } = createQueue(1);
  run('caller', 'first', roundTrips);
  for (const name of ['x', 'y']) run('background', name);
  let callers = 1;
  for (; !begun.includes('x') && callers < 1_000; callers++) {
    run('caller', `caller-${callers}`, roundTrips);
    await end(callers === 1 ? 'first' : `caller-${callers - 1}`);
  }
  expect(callers).toBe(64 / roundTrips);
  expect(begun).not.toContain('y');
});

it('failed work makes room, and rejects for its caller', async () => {
  const queue = new ConnectionQueue(1);
  const failing = queue.run('caller', ROUND_TRIPS.unit, () => Promise.reject(new Error('no')));
  const next = queue.run('background', ROUND_TRIPS.unit, async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});
