import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import { CALL_MS_MAX, withTimeLimit } from '../../../gateway/src/channels/channels.ts';
import { beginCall } from '../../../gateway/src/domain/schedule.ts';
import type { Payout } from '../../../gateway/src/domain/transaction.ts';
import { SIMULATOR } from '../harness/channels.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const asked = (payOut: Channel['payOut']) =>
  withTimeLimit({ ...SIMULATOR, payOut }, { callMsMax: 50 }).payOut({} as Payout, 0);

it('a call ends well before another process makes it again', () => {
  const { dueAt = 0 } = beginCall({} as Payout, 0).transaction;
  expect(dueAt - CALL_MS_MAX).toBeGreaterThanOrEqual(1_000);
});

it('a call that never ends times out', async () => {
  const answer = asked(() => new Promise(() => undefined));
  vi.advanceTimersByTime(50);
  await expect(answer).rejects.toThrow('within 50 ms');
});

it.each<[string, Channel['payOut']]>([
  ['resolves', async () => ({ askAgainAt: 1 })],
  ['rejects', () => Promise.reject(new Error('later'))],
  [
    'throws at once',
    () => {
      throw new Error('at once');
    },
  ],
])('a call that %s leaves no timer behind', async (_what, payOut) => {
  await asked(payOut).catch(() => undefined);
  expect(vi.getTimerCount()).toBe(0);
});
