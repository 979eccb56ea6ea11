import { beforeEach, expect, it, vi } from 'vitest';
import { startProgress } from '../../conformance/src/command/progress.ts';
import { result, verification } from './report/synthetic.ts';

const checks = verification([result('a/one'), result('a/two'), result('a/three')]).plan;

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

it('progress is one line of a terminal after two seconds, which names the longest-running check', () => {
  const printed: string[] = [];
  const progress = startProgress({ out: () => {}, err: (text) => printed.push(text) }, true);
  progress.onPlan?.(checks);
  for (const check of checks) progress.onStart?.(check);
  vi.advanceTimersByTime(1_900);
  expect(printed).toEqual([]);
  vi.advanceTimersByTime(500);
  expect(printed.at(-1)).toMatch(/^\r.*0 of 3 checks, 0 not conforming, 2 s {2}waits for a\/one and 2 more$/);
  progress.onResult?.(result('a/one'));
  progress.onResult?.(result('a/three', { verdict: 'not reached' }));
  vi.advanceTimersByTime(200);
  expect(printed.at(-1)).toMatch(/2 of 3 checks, 0 not conforming, 1 not reached, 3 s {2}waits for a\/two$/);
  progress.stop();
  expect(printed.join('')).not.toContain('\n');
  expect(printed.at(-1)).toBe('\r\x1b[2K');
});
