/** Waits: for webhooks and for races. */
import { expect, it, vi } from 'vitest';
import { judgeRace } from '../../conformance/src/checks/customers/races.ts';
import { notArrived } from '../../conformance/src/checks/webhooks/delivery.ts';
import type { Context } from '../../conformance/src/core/check.ts';
import type { Finding } from '../../conformance/src/core/finding.ts';
import { LearnedTimeouts } from '../../conformance/src/core/learned-timeouts.ts';
import type { TrackedTransaction } from '../../conformance/src/core/transactions.ts';
import type { ReceivedDelivery } from '../../conformance/src/service/exchange.ts';
import { finding } from './report/synthetic.ts';

const LIMIT_MS = 10_000;

it.each([
  ['the whole timeout of the run before one of its kind has timed out', [800], LIMIT_MS],
  ['a multiple of the slowest success of its kind after that', [20, 800, undefined], 2_400],
  ['a brief time if no success was slow', [20, undefined], 1_500],
  ['never more than the timeout of the run', [9_000, undefined], LIMIT_MS],
])('a wait gets %s', (_title, noted, limitMs) => {
  const timeouts = new LearnedTimeouts(LIMIT_MS);
  timeouts.note('another', undefined);
  for (const tookMs of noted) timeouts.note('webhook', tookMs);
  expect(timeouts.limitMs('webhook')).toBe(limitMs);
});

const NOW = Date.parse('2026-03-02T10:00:00Z');
const MINUTE_MS = 60_000;

it.each([
  ['waits longer for a webhook while the service delivers earlier ones', -MINUTE_MS, true],
  ['misses a webhook once one of a later event has come', MINUTE_MS, false],
])('%s', async (_title, lastBeforeMs, isFound) => {
  const eventAt = (ms: number) => ({ status: 'SUCCESS', finalized_at: new Date(NOW + ms).toISOString() });
  const delivery = (ms: number) =>
    ({ body: eventAt(ms), receivedAt: Date.now() + 1_000 }) as unknown as ReceivedDelivery;
  let waits = 0;
  // The webhook comes in the third wait.
  const find = async () => (++waits === 3 ? delivery(0) : undefined);
  const endpoint = { token: 'token', all: [delivery(lastBeforeMs)], find };
  const tracked = { kind: 'payment', endpoint, reads: [{ body: eventAt(0) }] } as unknown as TrackedTransaction;
  expect((await new LearnedTimeouts(10).webhook(tracked, 'SUCCESS')) !== undefined).toBe(isFound);
});

const LOCAL = 'http://127.0.0.1:4000';
const REMOTE = 'https://sandbox.example.com';
const NONE = 'no webhook has arrived at http://127.0.0.1:9';

it.each([
  [LOCAL, [], 0, NONE, 'if it runs in a container, use --webhook-host 0.0.0.0'],
  [REMOTE, [], 0, NONE, "sandbox.example.com can't reach it: use --webhook-host 0.0.0.0, and --webhook-url"],
  [LOCAL, [], 3, 'paymentFailed has not arrived in time: no webhook came here', '--timeout'],
  [LOCAL, ['VERIFYING'], 3, 'paymentFailed has not arrived in time: 1 webhook came here: VERIFYING', '--timeout'],
])('advises how to get the webhooks of %s, after %j here and %i elsewhere', (...row) => {
  const [baseUrl, statuses, elsewhere, message, remedy] = row;
  const deliveries = statuses.map((status) => ({ body: { status } }));
  const others = Array.from({ length: elsewhere }, () => ({ body: { status: 'FAILED' } }));
  const journal = { deliveries: [...deliveries, ...others] };
  const context = { journal, receiver: { url: 'http://127.0.0.1:9' }, settings: { baseUrl } } as unknown as Context;
  const tracked = { endpoint: { deliveries } } as unknown as TrackedTransaction;
  expect(notArrived(context, tracked, 'paymentFailed')).toMatchObject({
    message,
    remedy: expect.stringContaining(remedy),
  });
});

it('a race is run again until its requests meet or have findings, and is else not reached', async () => {
  const race = vi.fn(async () => ({ findings: [] as Finding[], met: false }));
  await expect(judgeRace(race)).rejects.toThrow('never in flight');
  race
    .mockClear()
    .mockResolvedValueOnce({ findings: [], met: false })
    .mockResolvedValueOnce({ findings: [], met: true });
  expect(await judgeRace(race)).toEqual([]);
  expect(race).toHaveBeenCalledTimes(2);
  race.mockResolvedValueOnce({ findings: [finding()], met: false });
  expect(await judgeRace(race)).toHaveLength(1);
});
