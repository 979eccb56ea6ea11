/** Failing and hanging calls of channels, and concurrent clarifications. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Channel, ChannelUnavailable } from '../../../gateway/src/channels/channel.ts';
import { CALL_MS_MAX, withTimeLimit } from '../../../gateway/src/channels/channels.ts';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { beginCall } from '../../../gateway/src/domain/schedule.ts';
import type { Items, Payout } from '../../../gateway/src/domain/transaction.ts';
import { createApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { confirmation, settled } from '../harness/customer.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { describeOnEachStore, everyChannel, SIMULATOR, startTestGateway, type TestGateway } from '../harness.ts';

const AMOUNT = 49_900;

/** Rejects a number of times, then behaves like the simulator. */
function failing<K extends 'initiate' | 'clarify' | 'verify' | 'cancel'>(
  call: K,
  times: number,
  error = new Error('timeout'),
) {
  const calls: number[] = [];
  const replaced = async (...args: [unknown, ...unknown[]]) => {
    calls.push(args.at(-1) as number);
    if (calls.length <= times) throw error;
    return (SIMULATOR[call] as (...given: unknown[]) => unknown)(...args);
  };
  return { calls, replaced: { [call]: replaced } as Partial<Channel> };
}

async function create(test: TestGateway, request = paymentRequest({ amount: AMOUNT })): Promise<string> {
  const { body } = await test.call('POST', '/payments', request);
  return body.transaction_id;
}

/** Advances the clock in steps while the worker processes due work. */
async function pass({ clock, gateway }: TestGateway, ms: number, step = ms): Promise<void> {
  await gateway.idle();
  for (let passed = 0; passed < ms; passed += step) {
    clock.advance(step);
    await gateway.idle();
  }
}

/** Advances from call to call, and verifies that each pause is over before the next call. */
async function expectPauses(test: TestGateway, calls: readonly number[], seconds: readonly number[]): Promise<void> {
  await test.gateway.idle();
  for (const [index, pause] of seconds.entries()) {
    await pass(test, pause * 1_000 - 1);
    expect(calls).toHaveLength(index + 1);
    await pass(test, 1);
    expect(calls).toHaveLength(index + 2);
  }
}

it('a payment whose channel does not respond is verified again with increasing delays until the channel responds', async () => {
  const { calls, replaced } = failing('verify', 8, new ChannelUnavailable('CHANNEL_DOWN'));
  const test = await startTestGateway({ channels: everyChannel(replaced) });
  const id = await create(test);
  const asked = await settled(test, test.call, id);
  await test.call('POST', `/payments/${id}/confirm`, confirmation(asked));
  await expectPauses(test, calls, [2, 4, 8, 16, 32, 60, 60, 60]);
  expect(await settled(test, test.call, id)).toMatchObject({ status: 'SUCCESS', amount_paid: AMOUNT });
});

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

/** A channel whose clarify call waits until released, and records its data. */
function gate() {
  const given: Items[] = [];
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const { promise: open, resolve: letGo } = Promise.withResolvers<void>();
  const clarify: Channel['clarify'] = async (payment, items, now) => {
    given.push(items);
    enter();
    await open;
    return SIMULATOR.clarify(payment, items, now);
  };
  return { given, entered, letGo, channels: everyChannel({ clarify }) };
}

async function unclarified(test: TestGateway): Promise<string> {
  const request = paymentRequest({ customer: { id: 'clarify-email' } });
  const { body } = await test.call('POST', '/payments', request);
  expect(await settled(test, test.call, body.transaction_id)).toMatchObject({ status: 'EXTRA_DATA_NEEDED' });
  return `/payments/${body.transaction_id}/clarify`;
}

const data = (email: string) => ({ clarify_data: { email } });

describeOnEachStore('a clarification', (_open, database) => {
  it('reaches the channel once for concurrent requests to two gateways on one database', async () => {
    const { given, letGo, channels } = gate();
    letGo();
    const shared = await database();
    const store = shared.connect();
    await migrate(store);
    const test = await startTestGateway({ store, channels });
    const other = await startTestGateway({ store: shared.connect(), clock: test.clock, channels });
    const path = await unclarified(test);
    const { key } = await store.unit((db) => createApiKey(db, test.merchant.id, test.clock.now()));
    const authorization = `Bearer ${key}`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        (index % 2 === 0 ? test : other).call('POST', path, data(`${index}@example.com`), { authorization }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(given).toEqual([{ email: `${winner}@example.com` }]);
  });
});
