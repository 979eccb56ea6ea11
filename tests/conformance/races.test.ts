/** A race counts only if its requests were in flight at the same time. */
import { describe, expect, it } from 'vitest';
import { judgeRace } from '../../conformance/src/checks/customers/races.ts';
import { finding } from './report/synthetic.ts';

describe('a race', () => {
  it('is run again until its requests meet', async () => {
    let runs = 0;
    const run = async () => {
      runs += 1;
      return { findings: [], met: runs === 2 };
    };
    expect(await judgeRace(run)).toEqual([]);
    expect(runs).toBe(2);
  });

  it('is not reached if they never meet', async () => {
    await expect(judgeRace(async () => ({ findings: [], met: false }))).rejects.toThrow('never in flight');
  });

  it('has the findings of requests that did not meet', async () => {
    expect(await judgeRace(async () => ({ findings: [finding()], met: false }))).toHaveLength(1);
  });
});
