/** The kit and the service are often on one machine, which can stall for longer than a check waits, or be busy. */
import { beforeEach, expect, it, vi } from 'vitest';
import { deadlineIn, timeoutWhileAwake } from '../../conformance/src/time/awake.ts';

const TICK_MS = 100;
const WAIT_MS = 5_000;
const HOUR_MS = 3_600_000;

let now = 0;
/** Milliseconds of the clock for each millisecond of the processor. */
let slowdown: number;
let cpuMs = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  now = Math.max(now, performance.now()) + HOUR_MS;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  slowdown = 1;
  vi.spyOn(process, 'threadCpuUsage').mockImplementation(() => {
    cpuMs += 1;
    now += slowdown;
    return { user: cpuMs * 1_000, system: 0 };
  });
  deadlineIn(0);
  return () => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  };
});

/** Waits for five seconds. The function lets the process run for a time, and returns whether the wait has ended. */
function wait(): (ms: number) => boolean {
  const late = vi.fn();
  const deadline = deadlineIn(WAIT_MS);
  timeoutWhileAwake(WAIT_MS, late);
  return (ms) => {
    for (let ran = 0; ran < ms; ran += TICK_MS) {
      now += TICK_MS;
      vi.advanceTimersByTime(TICK_MS);
    }
    expect(late.mock.calls.length > 0).toBe(deadline.passed());
    return deadline.passed();
  };
}

it('a wait ends after five seconds in which the process runs', () => {
  const run = wait();
  expect([run(WAIT_MS), run(TICK_MS)]).toEqual([false, true]);
});

it('a wait takes at most half a second of it for a stall of an hour', () => {
  const run = wait();
  now += HOUR_MS;
  expect(run(4_500)).toBe(false);
});

it('a wait takes longer while other programs use most of the processor', () => {
  slowdown = 4;
  now += HOUR_MS;
  const run = wait();
  expect(run(15_000)).toBe(false);
  slowdown = 1;
  expect(run(WAIT_MS)).toBe(true);
});

it('a wait measures for a limited time if the processor time stays the same', () => {
  now += HOUR_MS;
  const startedAt = now;
  vi.spyOn(process, 'threadCpuUsage').mockImplementation(() => {
    now += 1;
    if (now > startedAt + 1_000) throw new Error('still measuring');
    return { user: cpuMs * 1_000, system: 0 };
  });
  deadlineIn(WAIT_MS);
  expect(now - startedAt).toBeLessThan(100);
});
