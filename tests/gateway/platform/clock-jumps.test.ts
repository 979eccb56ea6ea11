import { expect, it } from 'vitest';
import { type ClockJump, ClockJumps } from '../../../gateway/src/platform/clock.ts';
import { START } from '../harness/fixtures.ts';

const HOUR_MS = 3_600_000;

/** The clock of a machine that can be suspended. Its uptime includes the suspension. */
function watched() {
  let [uptime, time] = [90_000, START];
  const seen: ClockJump[] = [];
  const jumps = new ClockJumps(
    () => uptime,
    (jump) => seen.push(jump),
  );
  const jump = (ms: number) => {
    time += ms;
    jumps.observe('machine', time);
  };
  const pass = (ms: number) => {
    uptime += ms;
    jump(ms);
  };
  jump(0);
  return { jumps, seen, pass, jump };
}

it('reports a jump in either direction, for a minute', () => {
  const { jumps, seen, pass, jump } = watched();
  pass(10_000);
  expect(jumps.recent()).toBeUndefined();
  jump(-3 * HOUR_MS);
  expect(jumps.recent()).toEqual({ clock: 'machine', ms: -3 * HOUR_MS });
  pass(59_999);
  expect(jumps.recent()).toBeDefined();
  pass(1);
  expect(jumps.recent()).toBeUndefined();
  jump(3 * HOUR_MS);
  expect(seen.map(({ ms }) => ms)).toEqual([-3 * HOUR_MS, 3 * HOUR_MS]);
});

it('reports no correction below 10 s, and no suspension of the machine', () => {
  const { seen, pass, jump } = watched();
  for (let correction = 0; correction < 3; correction++) jump(9_999);
  pass(8 * HOUR_MS);
  expect(seen).toEqual([]);
});

it('compares each clock with itself', () => {
  const { jumps, seen, pass } = watched();
  jumps.observe('database', START - HOUR_MS);
  pass(10_000);
  jumps.observe('database', START + 10_000);
  expect(seen).toEqual([{ clock: 'database', ms: HOUR_MS }]);
});
