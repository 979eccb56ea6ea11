/** A race counts only if its requests were in flight at the same time. */
import { describe, expect, it } from 'vitest';
import { haveMet, judgeRace } from '../../conformance/src/core/race.ts';
import type { Exchange } from '../../conformance/src/service/exchange.ts';
import { finding } from './report/synthetic.ts';

const between = (startedAt: number, endedAt: number) => ({ startedAt, endedAt }) as Exchange;

describe('requests', () => {
  it.each([
    ['meet', [between(0, 5), between(9, 12), between(4, 7)], true],
    ["don't meet one after the other", [between(0, 5), between(5, 7), between(8, 9)], false],
    ["don't meet alone", [between(0, 5)], false],
  ])('%s', (_what, exchanges, met) => {
    expect(haveMet(exchanges)).toBe(met);
  });
});

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
