/** Calls of a channel that fail or never end: the outcome is unknown until the channel is asked again. */
import { expect, it } from 'vitest';
import { type Channel, ChannelUnavailable } from '../../../gateway/src/channels/channel.ts';
import { findMethod, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { balances, clarification, confirmation, settled } from '../harness/customer.ts';
import { paymentRequest, REDIRECT } from '../harness/fixtures.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { describeOnEachStore, everyChannel, SIMULATOR, startTestGateway, type TestGateway } from '../harness.ts';

const VALIDITY_MS = findMethod(sandboxMethods, 'payment', 'UPI_IN')?.validityMs ?? 0;
const AMOUNT = 49_900;
/** The longest pause between two calls. */
const PAUSE_MS_MAX = 60_000;

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

describeOnEachStore('a payment whose channel is unavailable on the first call', (open) => {
  it('is declined, and the log names the payment, the channel and the error', async () => {
    const { log, lines } = recordingLog();
    const { replaced } = failing('initiate', 1, new ChannelUnavailable('CHANNEL_DOWN'));
    const test = await startTestGateway({ store: await open(), channels: everyChannel(replaced), log });
    const id = await create(test);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'FAILED', decline_reason: 'CHANNEL_DOWN' });
    expect(lines.filter(({ level }) => level === 'error')).toEqual([
      expect.objectContaining({ transaction_id: id, channel: expect.any(String), err: expect.any(ChannelUnavailable) }),
    ]);
  });
});

describeOnEachStore('a payment whose channel does not respond', (open) => {
  it('is asked about with increasing delays, and continues when the channel responds', async () => {
    const { calls, replaced } = failing('initiate', 4);
    const test = await startTestGateway({ store: await open(), channels: everyChannel(replaced) });
    const id = await create(test);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'CREATED' });
    await expectPauses(test, calls, [2, 4, 8, 16]);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
  });

  it('is asked about again after a timeout', async () => {
    let calls = 0;
    const initiate: Channel['initiate'] = (...args) =>
      calls++ === 0 ? new Promise(() => undefined) : SIMULATOR.initiate(...args);
    const test = await startTestGateway({
      store: await open(),
      channels: everyChannel({ initiate }),
      channelMsMax: 5,
    });
    const id = await create(test);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'CREATED' });
    await pass(test, 2_000);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
  });

  it('is not declined by an unavailable channel after a call with an unknown outcome', async () => {
    let calls = 0;
    const initiate: Channel['initiate'] = async (...args) => {
      calls++;
      if (calls === 1) throw new Error('timeout');
      if (calls === 2) throw new ChannelUnavailable('CHANNEL_DOWN');
      return SIMULATOR.initiate(...args);
    };
    const test = await startTestGateway({ store: await open(), channels: everyChannel({ initiate }) });
    const id = await create(test);
    await pass(test, 2_000);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'CREATED' });
    await pass(test, 4_000);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'PAY_CONFIRMATION_NEEDED' });
  });

  it('is declined only after its cancellation at the channel when its session expires', async () => {
    const cancelled = failing('cancel', 2);
    const initiate = () => Promise.reject(new Error('timeout'));
    const channels = everyChannel({ initiate, ...cancelled.replaced });
    const test = await startTestGateway({ store: await open(), channels });
    const id = await create(test);
    await pass(test, VALIDITY_MS - PAUSE_MS_MAX, PAUSE_MS_MAX);
    expect(cancelled.calls).toHaveLength(0);
    await pass(test, 2 * PAUSE_MS_MAX, PAUSE_MS_MAX);
    expect(cancelled.calls).toHaveLength(2);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'CREATED' });
    await pass(test, PAUSE_MS_MAX, PAUSE_MS_MAX);
    expect(cancelled.calls).toHaveLength(3);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'FAILED', decline_reason: 'TIMEOUT_EXPIRED' });
  });

  it.each([
    [
      'that was never started for all that is known',
      paymentRequest({ amount: AMOUNT }),
      { initiate: () => Promise.reject(new Error('timeout')) },
    ],
    ['that nobody confirmed', paymentRequest({ amount: AMOUNT }), {}],
    ['that waits on its page', paymentRequest({ amount: AMOUNT }, REDIRECT), {}],
    [
      'whose data the channel took without a response',
      paymentRequest({ amount: AMOUNT, customer: { id: 'clarify-email' } }),
      { clarify: () => Promise.reject(new Error('timeout')) },
    ],
  ] as const)(
    'succeeds if the channel was paid before it could cancel a %s payment',
    async (_what, request, replaced) => {
      const channels = everyChannel({
        ...(replaced as Partial<Channel>),
        cancel: async () => ({ event: { type: 'found_paid' } }),
        verify: async (payment) =>
          payment.status === 'VERIFYING'
            ? { event: { type: 'succeeded', amountPaid: AMOUNT } }
            : { askAgainAt: undefined },
      });
      const test = await startTestGateway({ store: await open(), channels });
      const id = await create(test, request);
      const asked = await settled(test, test.call, id);
      if (asked.status === 'EXTRA_DATA_NEEDED')
        await test.call('POST', `/payments/${id}/clarify`, clarification(asked));
      test.clock.advance(VALIDITY_MS);
      expect(await settled(test, test.call, id)).toMatchObject({ status: 'SUCCESS', amount_paid: AMOUNT });
      expect(await balances(test.call)).toEqual({ INR: { available: 0, pending: AMOUNT } });
    },
  );

  it('is verified again with increasing delays until the channel responds', async () => {
    const { calls, replaced } = failing('verify', 8, new ChannelUnavailable('CHANNEL_DOWN'));
    const test = await startTestGateway({ store: await open(), channels: everyChannel(replaced) });
    const id = await create(test);
    const asked = await settled(test, test.call, id);
    await test.call('POST', `/payments/${id}/confirm`, confirmation(asked));
    await expectPauses(test, calls, [2, 4, 8, 16, 32, 60, 60, 60]);
    expect(await settled(test, test.call, id)).toMatchObject({ status: 'SUCCESS', amount_paid: AMOUNT });
  });
});
