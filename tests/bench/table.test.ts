import { describe, expect, it } from 'vitest';
import { atMost, comparison, costComparison, figure, formatTable, median } from './table.ts';

describe('the median', () => {
  it.each([
    ['the middle of an odd number of values', [9, 1, 5], 5],
    ['the mean of the middle two of an even number', [4, 1, 3, 100], 3.5],
    ['the only value', [7], 7],
  ])('is %s', (_, values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it('leaves the values in their order', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });
});

describe('a figure', () => {
  it.each([
    [10_763.2, '/s', '10,800 /s'],
    [1.2345, 'ms', '1.23 ms'],
    [0, '/s', '0 /s'],
  ])('of %d has three significant digits, and its unit', (value, unit, expected) => {
    expect(figure(value, unit)).toBe(expected);
  });
});

describe('a comparison of costs', () => {
  it('is the median ratio of the rounds, and meets its target up to and including it', () => {
    const row = costComparison('CPU', [1.4, 3, 1.5], { name: 'bare', costs: [1, 1, 1] }, 1.5, 'ms');
    expect(row).toMatchObject({
      figure: '1.5 ms',
      peer: 'bare 1 ms',
      ratio: 1.5,
      target: { text: '≤ 1.5', met: true },
    });
    expect(costComparison('CPU', [Number.NaN], { name: 'bare', costs: [1] }, 1.5, 'ms').target?.met).toBe(false);
  });
});

describe('a comparison', () => {
  it('takes the ratio of each round, so that a round that is slow for both has no effect', () => {
    const row = comparison('POST', [100, 50, 90], { name: 'peer', rates: [200, 100, 100] }, 0.5);
    expect(row).toEqual({
      name: 'POST',
      figure: '90 /s',
      peer: 'peer 100 /s',
      ratio: 0.5,
      target: { text: '≥ 0.5', met: true },
    });
  });

  it('misses its target when the ratio is below', () => {
    expect(comparison('POST', [49], { name: 'peer', rates: [100] }, 0.5).target?.met).toBe(false);
  });

  it.each([0, 100])('misses its target when the peer is at 0 and it is at %i', (rate) => {
    expect(comparison('POST', [rate], { name: 'peer', rates: [0] }, 0.5).target?.met).toBe(false);
  });
});

describe('a limit', () => {
  it.each([
    [250, true],
    [250.4, false],
  ])('holds %d against 250: %s', (value, met) => {
    expect(atMost('Memory', value, 250, 'MiB')).toEqual({
      name: 'Memory',
      figure: '250 MiB',
      target: { text: '≤ 250 MiB', met },
    });
  });
});

describe('the table', () => {
  it('has a line for each row, in aligned columns, and shows whether each target is met', () => {
    const rows = [
      comparison('GET', [300], { name: 'echo', rates: [200] }, 2),
      atMost('Start to first response', 410, 500, 'ms'),
      { name: 'Without a target', figure: '1 /s' },
    ];
    expect(formatTable(rows)).toBe(
      [
        '| What                    | Ratio | Figure | Peer        | Target         |',
        '| ----------------------- | ----- | ------ | ----------- | -------------- |',
        '| GET                     | 1.50  | 300 /s | echo 200 /s | ≥ 2 (not met)  |',
        '| Start to first response |       | 410 ms |             | ≤ 500 ms (met) |',
        '| Without a target        |       | 1 /s   |             |                |',
      ].join('\n'),
    );
  });
});
