/** A run's waits depend on what earlier ones learned. */
import { expect, it } from 'vitest';
import { Patience } from '../../conformance/src/core/patience.ts';

it('a wait gets the whole timeout of the run until one of its kind has timed out', () => {
  const patience = new Patience(10_000);
  patience.note('webhook', 800);
  expect(patience.limitMs('webhook')).toBe(10_000);
  patience.note('webhook', undefined);
  expect([patience.limitMs('webhook'), patience.limitMs('another')]).toEqual([2_400, 10_000]);
});

it('a wait after a timeout is brief if none of its kind succeeded slowly, and never longer than the timeout of the run', () => {
  const patience = new Patience(10_000);
  patience.note('quick', 20);
  patience.note('slow', 9_000);
  for (const kind of ['unknown', 'quick', 'slow']) patience.note(kind, undefined);
  expect(['unknown', 'quick', 'slow'].map((kind) => patience.limitMs(kind))).toEqual([1_500, 1_500, 10_000]);
});
