import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../client/src/clock.ts';

const CLOCK = fileURLToPath(new URL('../../client/src/clock.ts', import.meta.url));

describe("the machine's clock", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('runs a callback once, after the time', () => {
    const run = vi.fn();
    systemClock.after(1_000, run);
    vi.advanceTimersByTime(999);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60_000);
    expect(run).toHaveBeenCalledOnce();
  });

  it('never runs a cancelled callback, and keeps no timers', () => {
    const run = vi.fn();
    for (let call = 0; call < 5; call++) systemClock.after(1_000, run)();
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
    vi.advanceTimersByTime(60_000);
    expect(run).not.toHaveBeenCalled();
  });

  it('runs other callbacks after a cancellation', () => {
    const ran: string[] = [];
    const prevent = ['a', 'b', 'c'].map((name) => systemClock.after(1_000, () => ran.push(name)));
    prevent[1]?.();
    prevent[1]?.();
    systemClock.after(1_000, () => ran.push('d'));
    vi.advanceTimersByTime(60_000);
    expect(ran).toEqual(['a', 'c', 'd']);
  });

  it('clears a timer immediately if it would keep the program alive', () => {
    const cleared: unknown[] = [];
    vi.stubGlobal('setTimeout', () => 7);
    vi.stubGlobal('clearTimeout', (timer: unknown) => cleared.push(timer));
    systemClock.after(1_000, () => {})();
    expect(cleared).toContain(7);
  });

  it('lets a process exit while only its timers are pending', async () => {
    vi.useRealTimers();
    const program = `const { systemClock } = await import(${JSON.stringify(CLOCK)}); systemClock.after(600_000, () => {})();`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { timeout: 60_000 });
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
