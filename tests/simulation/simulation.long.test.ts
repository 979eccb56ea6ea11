/** `npm run simulate` at length. */
import { describe, expect, it } from 'vitest';
import { formatFailure, runJob } from './crew.ts';
import { DEFECTS } from './defects.ts';

/** Each known defect is found within this number of runs. */
const RUNS_MAX = 2_000;

describe('the simulated gateway', () => {
  it('breaks no rule in a thousand runs', { timeout: 30 * 60_000 }, async () => {
    // Uses a new seed each time, printed in the report.
    const seed = Math.floor(Math.random() * 1_000_000) + 1;
    const { runs, failure } = await runJob({ seed, runs: 1_000, shrinks: true });
    expect(failure && formatFailure(failure)).toBeUndefined();
    expect(runs).toBe(1_000);
  });

  it('shrinks a failure to a few steps, which fail alone', { timeout: 5 * 60_000 }, async () => {
    const defect = DEFECTS.find(({ id }) => id === 'never-released');
    const { failure } = await runJob({ seed: 1, runs: 100, defect, shrinks: true });
    const { outcome, shrunk } = failure ?? {};
    expect(shrunk?.only?.size).toBeLessThan(40);
    expect(shrunk?.broken?.rule).toBe(outcome?.broken?.rule);
    expect(failure && formatFailure(failure)).toContain(`npm run simulate -- --seed ${outcome?.seed} --runs 1\n`);
  });

  it.each(DEFECTS)('reveals a defect: $summary', { timeout: 10 * 60_000 }, async (defect) => {
    const { failure } = await runJob({ seed: 1, runs: RUNS_MAX, defect });
    expect(failure?.outcome.broken?.rule).toBeDefined();
  });
});
