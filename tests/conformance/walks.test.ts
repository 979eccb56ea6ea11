/** A walk that takes too long ends before the next check begins. */
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkToEnd } from '../../conformance/src/checks/walks.ts';

const LIMIT_MS = 150;

it('a walk that the time limit interrupts is waited for', async () => {
  const seen: string[] = [];
  const walk = async (): Promise<void> => {
    seen.push('begun');
    await pause(2 * LIMIT_MS);
    seen.push('ended');
  };
  const limits = { numRuns: 1, interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: false };
  const { interrupted } = await checkToEnd(fc.constant(0), walk, limits);
  expect(interrupted).toBe(true);
  // On a busy machine, the time can be up before the walk begins.
  expect([[], ['begun', 'ended']]).toContainEqual(seen);
});
