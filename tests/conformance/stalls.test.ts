/** The kit and the service are often on one machine, which can stall for longer than a check waits, or be busy. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deadlineIn, timeoutWhileAwake } from '../../conformance/src/time/awake.ts';

const TICK_MS = 100;
const HOUR_MS = 3_600_000;

let now = 0;
/** Milliseconds of the clock for each millisecond of the processor. */
let slowdown = 1;
let cpuMs = 0;

/** Lets the process run for a time after the machine stalled for another. */
function run(ms: number, stallMs = 0): void {
  now += stallMs;
  for (let ran = 0; ran < ms; ran += TICK_MS) {
    now += TICK_MS;
    vi.advanceTimersByTime(TICK_MS);
  }
}

describe('a wait of five seconds', () => {
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

  it('ends after five seconds in which the process runs', () => {
    const late = vi.fn();
    const deadline = deadlineIn(5_000);
    timeoutWhileAwake(5_000, late);
    run(5_000);
    expect(late).not.toHaveBeenCalled();
    expect(deadline.passed()).toBe(false);
    run(TICK_MS);
    expect(late).toHaveBeenCalledOnce();
    expect(deadline.passed()).toBe(true);
  });

  it('takes at most half a second of it for a stall of an hour', () => {
    const late = vi.fn();
    const deadline = deadlineIn(5_000);
    timeoutWhileAwake(5_000, late);
    run(4_500, HOUR_MS);
    expect(late).not.toHaveBeenCalled();
    expect(deadline.passed()).toBe(false);
  });

  it('takes longer while other programs use most of the processor', () => {
    slowdown = 4;
    now += HOUR_MS;
    const late = vi.fn();
    timeoutWhileAwake(5_000, late);
    run(15_000);
    expect(late).not.toHaveBeenCalled();
    slowdown = 1;
    run(5_000);
    expect(late).toHaveBeenCalledOnce();
  });

  it('measures for a limited time if the processor time stays the same', () => {
    now += HOUR_MS;
    const startedAt = now;
    vi.spyOn(process, 'threadCpuUsage').mockImplementation(() => {
      now += 1;
      if (now > startedAt + 1_000) throw new Error('still measuring');
      return { user: cpuMs * 1_000, system: 0 };
    });
    deadlineIn(5_000);
    expect(now - startedAt).toBeLessThan(100);
  });

  it('ends no more once it is taken back', () => {
    const late = vi.fn();
    timeoutWhileAwake(5_000, late)();
    run(10_000);
    expect(late).not.toHaveBeenCalled();
  });
});
