/** The clock of a gateway while the machine's jumps. */
import { describe, expect, it } from 'vitest';
import { type HoldChange, holdJumps } from '../../../gateway/src/platform/held-clock.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { START } from '../harness/fixtures.ts';

const HOUR_MS = 3_600_000;

/** A machine whose clock can jump, and which can be suspended. */
function machine() {
  const wall = new ManualClock(START);
  let elapsed = 5_000;
  let sinceBoot = 90_000;
  const changes: [HoldChange, number][] = [];
  const clock = holdJumps(wall, {
    timers: { elapsed: () => elapsed },
    sinceBoot: () => sinceBoot,
    onChange: (change, ms) => changes.push([change, ms]),
  });
  return {
    clock,
    changes,
    /** A gateway reads its clock all the time. */
    jump(ms: number) {
      wall.advance(ms);
      clock.now();
    },
    pass(ms: number) {
      elapsed += ms;
      sinceBoot += ms;
      wall.advance(ms);
    },
    suspend(ms: number) {
      sinceBoot += ms;
      wall.advance(ms);
    },
  };
}

describe('the clock of a gateway', () => {
  it('follows the machine, also corrections of some seconds and steps back', () => {
    const { clock, changes, pass, jump } = machine();
    pass(1_000);
    expect(clock.now()).toBe(START + 1_000);
    jump(9_999);
    expect(clock.now()).toBe(START + 10_999);
    jump(-HOUR_MS);
    expect(clock.now()).toBe(START + 10_999 - HOUR_MS);
    expect(changes).toEqual([]);
  });

  it('continues at its own pace after a jump ahead, and follows again once the machine has returned', () => {
    const { clock, changes, pass, jump } = machine();
    jump(24 * HOUR_MS);
    expect(clock.now()).toBe(START);
    expect(clock.heldMs()).toBe(24 * HOUR_MS);
    pass(60_000);
    expect(clock.now()).toBe(START + 60_000);
    jump(-24 * HOUR_MS + 3_000);
    expect(clock.now()).toBe(START + 63_000);
    expect(clock.heldMs()).toBe(0);
    expect(changes).toEqual([
      ['held', 24 * HOUR_MS],
      ['returned', 24 * HOUR_MS],
    ]);
  });

  it('follows the correction of a step back, but no jump that is longer or comes much later', () => {
    const { clock, changes, pass, jump } = machine();
    for (const ms of [-HOUR_MS, HOUR_MS]) jump(ms);
    expect(clock.now()).toBe(START);
    jump(-HOUR_MS);
    expect(clock.now()).toBe(START - HOUR_MS);
    jump(2 * HOUR_MS);
    expect(clock.now()).toBe(START);
    jump(-2 * HOUR_MS);
    pass(HOUR_MS);
    expect(clock.now()).toBe(START);
    jump(HOUR_MS);
    expect(clock.now()).toBe(START);
    expect(changes).toEqual([
      ['held', HOUR_MS],
      ['returned', HOUR_MS],
      ['held', HOUR_MS],
    ]);
  });

  it('adds jumps up, and returns by parts', () => {
    const { clock, changes, jump } = machine();
    for (const ms of [HOUR_MS, HOUR_MS, -HOUR_MS, -HOUR_MS]) {
      jump(ms);
      expect(clock.now()).toBe(START);
    }
    expect(changes.map(([change]) => change)).toEqual(['held', 'held', 'held', 'returned']);
  });

  it('follows the machine after an hour', () => {
    const { clock, changes, pass, jump } = machine();
    jump(24 * HOUR_MS);
    expect(clock.now()).toBe(START);
    pass(HOUR_MS - 1);
    expect(clock.now()).toBe(START + HOUR_MS - 1);
    pass(1);
    expect(clock.now()).toBe(START + 25 * HOUR_MS);
    expect(changes.at(-1)).toEqual(['followed', 24 * HOUR_MS]);
  });

  it('follows a machine that was suspended, each time', () => {
    const { clock, changes, suspend, pass, jump } = machine();
    for (let night = 1; night <= 2; night++) {
      suspend(8 * HOUR_MS);
      expect(clock.now()).toBe(START + night * 8 * HOUR_MS);
    }
    suspend(8 * HOUR_MS);
    jump(HOUR_MS);
    expect(clock.now()).toBe(START + 24 * HOUR_MS);
    pass(1_000);
    expect(changes).toEqual([['held', HOUR_MS]]);
  });

  it('wakes who waits at its own time', async () => {
    const { clock, pass, jump } = machine();
    let woken = false;
    jump(HOUR_MS);
    const waiting = clock.until(START + 1_000, new AbortController().signal).then(() => {
      woken = true;
    });
    pass(999);
    await Promise.resolve();
    expect(woken).toBe(false);
    pass(1);
    await waiting;
  });
});
