/** A run learns its timeouts from earlier waits. */
import { expect, it } from 'vitest';
import { LearnedTimeouts } from '../../conformance/src/core/learned-timeouts.ts';
import type { TrackedTransaction } from '../../conformance/src/core/transactions.ts';
import type { ReceivedDelivery } from '../../conformance/src/service/exchange.ts';

it('a wait gets the whole timeout of the run until one of its kind has timed out', () => {
  const timeouts = new LearnedTimeouts(10_000);
  timeouts.note('webhook', 800);
  expect(timeouts.limitMs('webhook')).toBe(10_000);
  timeouts.note('webhook', undefined);
  expect([timeouts.limitMs('webhook'), timeouts.limitMs('another')]).toEqual([2_400, 10_000]);
});

it('a wait after a timeout is brief if none of its kind succeeded slowly, and never longer than the timeout of the run', () => {
  const timeouts = new LearnedTimeouts(10_000);
  timeouts.note('quick', 20);
  timeouts.note('slow', 9_000);
  for (const kind of ['unknown', 'quick', 'slow']) timeouts.note(kind, undefined);
  expect(['unknown', 'quick', 'slow'].map((kind) => timeouts.limitMs(kind))).toEqual([1_500, 1_500, 10_000]);
});

const NOW = Date.parse('2026-03-02T10:00:00Z');
const eventAt = (ms: number) => ({ status: 'SUCCESS', finalized_at: new Date(NOW + ms).toISOString() });

/** A succeeded payment whose webhook comes to the address in the third wait, and the webhook that came last before. */
function queued(lastBeforeMs: number): TrackedTransaction {
  const delivery = (body: object) => ({ body, receivedAt: Date.now() + 1_000 }) as unknown as ReceivedDelivery;
  let waits = 0;
  const endpoint = {
    token: 'token',
    all: [delivery(eventAt(lastBeforeMs))],
    find: async () => (++waits === 3 ? delivery(eventAt(0)) : undefined),
  };
  return { kind: 'payment', endpoint, reads: [{ body: eventAt(0) }] } as unknown as TrackedTransaction;
}

it('waits longer for a webhook while the service delivers earlier ones', async () => {
  expect(await new LearnedTimeouts(10).webhook(queued(-60_000), 'SUCCESS')).toBeDefined();
});

it('a webhook is missing once one of a later event has come', async () => {
  expect(await new LearnedTimeouts(10).webhook(queued(60_000), 'SUCCESS')).toBeUndefined();
});
