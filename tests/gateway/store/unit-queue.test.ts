/** The order in which units of work are committed, and how many at a time. */
import { describe, expect, it } from 'vitest';
import { type Priority, StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { type Unit, UnitQueue, type UnitQueueOptions } from '../../../gateway/src/database/unit-queue.ts';
import type { Timers } from '../../../gateway/src/platform/timers.ts';

interface Named extends Unit {
  readonly name: string;
}

/** A queue whose commits, ticks and time the test controls. */
function createQueue(options: Partial<UnitQueueOptions> = {}) {
  const turns: (() => void)[] = [];
  const sleeping: (() => void)[] = [];
  let now = 0;
  const timers: Timers = {
    elapsed: () => now,
    after: (_ms, run) => {
      sleeping.push(run);
      return () => undefined;
    },
    nextTurn: (run) => turns.push(run),
  };
  const commits: { units: string; end: () => void }[] = [];
  const commit = (units: readonly Named[]) =>
    new Promise<void>((end) => commits.push({ units: units.map(({ name }) => name).join(''), end }));
  const queue = new UnitQueue<Named>(commit, { max: 100, ...options, timers });
  const turn = async () => {
    for (let left = 10; left > 0; left--) {
      for (const run of turns.splice(0)) run();
      await Promise.resolve();
    }
  };
  return {
    queue,
    turn,
    add(names: string, priority: Priority = 'caller') {
      const nothing = { work: async () => undefined, resolve: () => undefined, reject: () => undefined };
      for (const name of names) queue.add({ ...nothing, name }, priority);
    },
    /** The names of each commit's units. */
    committed: () => commits.map(({ units }) => units),
    async end(index: number) {
      commits[index]?.end();
      await turn();
    },
    async pass(ms: number) {
      now += ms;
      for (const run of sleeping.splice(0)) run();
      await turn();
    },
  };
}

describe('units of work that wait', () => {
  it('are committed together in order of arrival, up to the limit of a commit', async () => {
    const { add, turn, committed, end } = createQueue({ groupMax: 3 });
    add('abcde');
    await turn();
    expect(committed()).toEqual(['abc']);
    add('f');
    await end(0);
    expect(committed()).toEqual(['abc', 'def']);
  });

  it('are refused as unavailable above a limit per priority', async () => {
    const { add, turn, end, committed } = createQueue({ max: 2 });
    add('ab');
    expect(() => add('c')).toThrow(StoreUnavailable);
    add('12', 'background');
    expect(() => add('3', 'background')).toThrow(StoreUnavailable);
    await turn();
    expect(committed()).toEqual(['ab12']);
    add('cd');
    await end(0);
    expect(committed()).toEqual(['ab12', 'cd']);
  });

  it('join the commits of callers as background work, up to a limit, and otherwise wait briefly', async () => {
    const { add, turn, committed, end, pass } = createQueue();
    add('.'.repeat(36), 'background');
    add('a');
    await turn();
    const first = `a${'.'.repeat(32)}`;
    expect(committed()).toEqual([first]);
    await end(0);
    expect(committed()).toEqual([first]);
    await pass(1);
    expect(committed()).toEqual([first, '....']);
  });

  it('are drained once the last commit has ended', async () => {
    const { queue, add, turn, end, pass } = createQueue();
    let drained = 0;
    const drain = () => queue.drain().then(() => (drained += 1));
    add('.'.repeat(36), 'background');
    add('a');
    await turn();
    await end(0);
    drain();
    await pass(1);
    drain();
    await turn();
    expect(drained).toBe(0);
    await end(1);
    expect(drained).toBe(2);
  });

  it('yield to callers as background work once too many wait, until a few are left', async () => {
    const { add, turn, committed, end } = createQueue({ max: 200 });
    add('.'.repeat(129), 'background');
    const kinds: string[] = [];
    for (let left = 129; left > 0; ) {
      add('a'.repeat(32));
      if (kinds.length === 0) await turn();
      else await end(kinds.length - 1);
      const commit = committed().at(-1) ?? '';
      const background = commit.replaceAll('a', '').length;
      left -= background;
      kinds.push(commit.length > background ? `callers and ${background}` : `${background}`);
    }
    // After 512 callers, 32 background units.
    const [first, next] = [16, 15].map((commits) => [...Array(commits).fill('callers and 0'), '32']);
    expect(kinds).toEqual([...(first ?? []), ...(next ?? []), ...(next ?? []), ...(next ?? []), 'callers and 1']);
  });
});
