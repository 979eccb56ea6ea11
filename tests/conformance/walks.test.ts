/** A walk that takes too long ends before the next check begins. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkToEnd } from '../../conformance/src/checks/walks.ts';

it('a walk that the time limit interrupts is waited for', async () => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let ended = false;
  const walk = async (): Promise<void> => {
    await released;
    ended = true;
  };
  const limits = { numRuns: 1, interruptAfterTimeLimit: 1, markInterruptAsFailure: false };
  const checked = checkToEnd(fc.constant(0), walk, limits).then(() => ended);
  setTimeout(release, 50);
  expect(await checked).toBe(true);
});
