import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startProgress } from '../../conformance/src/command/progress.ts';
import type { Check } from '../../conformance/src/core/check.ts';
import { result, verification } from './report/synthetic.ts';

const checks = verification([result('a/one'), result('a/two')]).plan;
let printed: string[];
const terminal = { out: () => {}, err: (text: string) => printed.push(text) };

beforeEach(() => {
  printed = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('progress', () => {
  it('is hidden for a run of under two seconds', () => {
    const progress = startProgress(terminal, true);
    progress.onPlan?.(checks);
    vi.advanceTimersByTime(1_900);
    progress.stop();
    expect(printed).toEqual([]);
  });

  it('is one line of a terminal, which is cleared at the end', () => {
    const progress = startProgress(terminal, true);
    progress.onPlan?.(checks);
    progress.onResult?.(result('a/one'));
    vi.advanceTimersByTime(2_400);
    expect(printed.at(-1)).toMatch(/^\r.*1 of 2 checks, 0 not conforming, 2 s$/);
    progress.onResult?.(result('a/two', { verdict: 'not reached' }));
    vi.advanceTimersByTime(200);
    expect(printed.at(-1)).toMatch(/2 of 2 checks, 0 not conforming, 1 not reached, 3 s$/);
    progress.stop();
    expect(printed.join('')).not.toContain('\n');
    expect(printed.at(-1)).toBe('\r\x1b[2K');
  });

  it('names the longest-running check', () => {
    const progress = startProgress(terminal, true);
    const plan = verification([result('a/one'), result('a/two'), result('a/three')]).results as unknown as Check[];
    progress.onPlan?.(plan);
    for (const check of plan) progress.onStart?.(check);
    vi.advanceTimersByTime(2_400);
    expect(printed.at(-1)).toMatch(/0 of 3 checks, 0 not conforming, 2 s {2}waits for a\/one and 2 more$/);
    for (const id of ['a/one', 'a/three']) progress.onResult?.(result(id));
    vi.advanceTimersByTime(200);
    expect(printed.at(-1)).toMatch(/2 of 3 checks, 0 not conforming, 3 s {2}waits for a\/two$/);
    progress.stop();
  });

  it('is a line every ten seconds in a log', () => {
    const progress = startProgress(terminal, false);
    progress.onPlan?.(checks);
    vi.advanceTimersByTime(21_000);
    progress.stop();
    expect(printed).toHaveLength(2);
    expect(printed[0]).toMatch(/\n$/);
  });
});
