/** A walk that takes too long ends before the next check begins. */
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkToEnd } from '../../conformance/src/checks/walks.ts';

const LIMIT_MS = 150;
const LIMITS = { numRuns: 2, interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: false };

it('a walk that the time limit interrupts is waited for', async () => {
  const seen: string[] = [];
  const walk = async (): Promise<void> => {
    seen.push('begun');
    await pause(2 * LIMIT_MS);
    seen.push('ended');
  };
  const { details, late } = await checkToEnd(fc.constant(0), walk, LIMITS);
  expect([details.interrupted, late]).toEqual([true, undefined]);
  // On a busy machine, the time can be up before the walk begins.
  expect([[], ['begun', 'ended']]).toContainEqual(seen);
});

it('a failure of a walk that the time limit interrupts is not lost', async () => {
  const failure = new Error('of the service');
  let walks = 0;
  const walk = async (): Promise<void> => {
    walks += 1;
    if (walks === 1) return;
    await pause(2 * LIMIT_MS);
    throw failure;
  };
  const { details, late } = await checkToEnd(fc.constant('steps'), walk, LIMITS);
  expect(details.errorInstance).toBeFalsy();
  // On a busy machine, the time can be up before the second walk begins.
  if (walks === 2) expect(late).toEqual({ error: failure, value: 'steps' });
});
