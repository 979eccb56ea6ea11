/** Waits: for webhooks, for races, and for requests of a driver. */
import { describe, expect, it } from 'vitest';
import { judgeRace } from '../../conformance/src/checks/customers/races.ts';
import { notArrived } from '../../conformance/src/checks/webhooks/delivery.ts';
import type { Context } from '../../conformance/src/core/check.ts';
import { LearnedTimeouts } from '../../conformance/src/core/learned-timeouts.ts';
import type { TrackedTransaction } from '../../conformance/src/core/transactions.ts';
import { boundedDriver, type Driver } from '../../conformance/src/drivers/driver.ts';
import type { ReceivedDelivery } from '../../conformance/src/service/exchange.ts';
import { finding } from './report/synthetic.ts';

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

/** A run in which webhooks with these statuses came to the address, and so many to others. */
function listMissing(statuses: readonly string[], elsewhere: number, baseUrl = 'http://127.0.0.1:4000') {
  const deliveries = statuses.map((status) => ({ body: { status } }));
  const all = [...deliveries, ...Array.from({ length: elsewhere }, () => ({ body: { status: 'FAILED' } }))];
  const receiver = { url: 'http://127.0.0.1:9' };
  const context = { journal: { deliveries: all }, receiver, settings: { baseUrl } } as unknown as Context;
  const { message, remedy } = notArrived(
    context,
    { endpoint: { deliveries } } as unknown as TrackedTransaction,
    'paymentFailed',
  );
  return { message, remedy };
}

it.each([
  ['http://127.0.0.1:4000', 'if it runs in a container, use --webhook-host 0.0.0.0'],
  ['https://sandbox.example.com', "sandbox.example.com can't reach it: use --webhook-host 0.0.0.0, and --webhook-url"],
])('the advice is to make the address reachable if no webhook has come at all from %s', (baseUrl, remedy) => {
  expect(listMissing([], 0, baseUrl)).toEqual({
    message: 'no webhook has arrived at http://127.0.0.1:9',
    remedy: expect.stringContaining(remedy),
  });
});

it.each([
  [[], 'no webhook came here'],
  [['VERIFYING'], '1 webhook came here: VERIFYING'],
])('the advice is to raise the timeout once others have come, and says that %j came here', (statuses, came) => {
  expect(listMissing(statuses, 3)).toEqual({
    message: `paymentFailed has not arrived in time: ${came}`,
    remedy: expect.stringContaining('--timeout'),
  });
});

describe('a race', () => {
  it('is run again until its requests meet', async () => {
    let runs = 0;
    const run = async () => {
      runs += 1;
      return { findings: [], met: runs === 2 };
    };
    expect(await judgeRace(run)).toEqual([]);
    expect(runs).toBe(2);
  });

  it('is not reached if they never meet', async () => {
    await expect(judgeRace(async () => ({ findings: [], met: false }))).rejects.toThrow('never in flight');
  });

  it('has the findings of requests that did not meet', async () => {
    expect(await judgeRace(async () => ({ findings: [finding()], met: false }))).toHaveLength(1);
  });
});

const ACCESS = { baseUrl: 'http://127.0.0.1:1', key: 'sk_test_1', fetch };

/** An instance of a class, with members that only its own methods reach. */
class Own implements Driver {
  readonly name = 'own';
  readonly #amount = 7;
  payment = () => undefined;
  payout() {
    return { amount: this.#amount };
  }
  items() {
    return {};
  }
  async disturb(operation: string, status: number) {
    return `${operation} ${status} ${this.#amount}`;
  }
  pay(): Promise<void> {
    return new Promise(() => {});
  }
}

it('a bounded driver rejects when a request does not end, and says which', async () => {
  await expect(boundedDriver(new Own(), 20).pay?.('http://page', ACCESS)).rejects.toThrow(
    "`pay` didn't end within 0.12 s",
  );
});

it('a bounded driver rejects when a request fails at once, and accepts a function without a promise', async () => {
  const driver = { name: 'own', payment() {}, payout() {}, items: () => ({}), move: () => undefined };
  const failing = { ...driver, move: () => JSON.parse('{') };
  const move = ({ move: own }: object & { move: unknown }) =>
    boundedDriver({ ...driver, move: own } as never, 20).move?.('payment', 'pay_1', { until: 'SUCCESS' }, ACCESS);
  await expect(move(driver)).resolves.toBeUndefined();
  await expect(move(failing)).rejects.toThrow(SyntaxError);
});

it('a bounded driver keeps all other members, and adds none', async () => {
  const driver = boundedDriver(new Own(), 20);
  expect(driver.payout({ until: 'SUCCESS' })).toEqual({ amount: 7 });
  expect(await driver.disturb?.('getPayment', 503, ACCESS)).toBe('getPayment 503 7');
  expect([driver.name, driver.move, driver.emptyWallet, driver.followsPrefer]).toEqual([
    'own',
    undefined,
    undefined,
    undefined,
  ]);
});
