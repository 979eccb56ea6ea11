/** A short form of `npm run simulate`. `simulation.long.test.ts` has many runs and all defects. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { runJob } from './crew.ts';
import { DEFECTS } from './defects.ts';
import { Disk } from './disk.ts';
import { simulate } from './run.ts';

const GATEWAY = new URL('../../gateway/src/', import.meta.url);

/** Seeds that once revealed a defect. Each defect also has its own test, since code changes alter the runs. */
const FAILED_ONCE: readonly [seed: number, defect: string][] = [
  [143, 'a payment was declined that its page had handed to the channel'],
];

let disk: Disk;
beforeAll(async () => {
  disk = await Disk.open();
});

describe('a simulated run', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('breaks no rule with seed %i', async (seed) => {
    const { broken, counts } = await simulate({ seed }, disk);
    expect(broken).toBeUndefined();
    expect(counts.transactions).toBeGreaterThan(5);
    expect(counts.crashes).toBeGreaterThan(0);
  });

  it.each(FAILED_ONCE)('breaks no rule with seed %i, where %s', async (seed) => {
    expect((await simulate({ seed }, disk)).broken).toBeUndefined();
  });

  it('is deterministic for a seed', async () => {
    const plan = { seed: 42, recorded: true };
    const [first, second] = [await simulate(plan, disk), await simulate(plan, disk)];
    expect(first.history.length).toBeGreaterThan(100);
    expect(second).toEqual(first);
  });
});

describe('injected defects', () => {
  it.each(DEFECTS.flatMap(({ id, edits }) => edits.map((edit) => [id, edit] as const)))(
    "%s match the gateway's source",
    (_id, { file, find }) => {
      expect(readFileSync(new URL(file, GATEWAY), 'utf8').split(find)).toHaveLength(2);
    },
  );

  it('are found', async () => {
    const defect = DEFECTS.find(({ id }) => id === 'event-outside-unit');
    const { failure } = await runJob({ seed: 1, runs: 50, defect, threads: 1 });
    expect(failure?.outcome.broken?.rule).toBe('not exactly one event for a transition');
  });
});
