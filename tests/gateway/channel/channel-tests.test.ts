/** The tests of channels: the simulated channels pass them, and channels with a defect fail. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { CHANNEL_CHECKS, type ChannelSetup, describeChannel } from '../../../gateway/src/channel-tests.ts';
import { type Channel, ChannelUnavailable } from '../../../gateway/src/channels/channel.ts';
import { simulatedChannels } from '../../../gateway/src/channels/simulator.ts';
import { contractMethods } from '../../../gateway/src/domain/methods.ts';

const SECRET = '0123456789abcdef';

const CHANNELS = simulatedChannels(contractMethods, new Map([['upi-standard', SECRET]]));

function notify(id: string) {
  return { headers: { authorization: `Bearer ${SECRET}` }, body: Buffer.from(JSON.stringify({ transaction_id: id })) };
}

for (const channel of CHANNELS) describeChannel(channel.name, async () => ({ channel, notify }));

/** A correct channel with paying customers, in memory. */
function createCorrectChannel(): Required<Pick<ChannelSetup, 'channel' | 'pay' | 'notify' | 'failNext'>> {
  let failing = false;
  const paid = new Map<string, number>();
  const cancelled = new Set<string>();
  const [simulated] = CHANNELS;
  if (!simulated) throw new Error('there is no simulated channel');
  return {
    notify,
    channel: {
      ...simulated,
      async verify({ id }) {
        const amountPaid = paid.get(id);
        return amountPaid === undefined ? { askAgainAt: undefined } : { event: { type: 'succeeded', amountPaid } };
      },
      async cancel({ id }) {
        if (paid.has(id)) return { event: { type: 'found_paid' } };
        cancelled.add(id);
        return { event: { type: 'cancelled' } };
      },
      async payOut(payout, now) {
        if (!failing) return simulated.payOut(payout, now);
        failing = false;
        throw new Error('the provider responded with 503');
      },
    },
    async failNext() {
      failing = true;
    },
    async pay({ id }, amount) {
      if (!cancelled.has(id)) paid.set(id, amount);
    },
  };
}

it('accept a correct channel', async () => {
  for (const { run } of CHANNEL_CHECKS) await run(createCorrectChannel());
});

const succeeded = (amountPaid: number) => ({ event: { type: 'succeeded', amountPaid } }) as const;
const asked = (account: string, amount: number) => {
  const payData = { receiver_account: account, available_amounts: [amount] };
  return { event: { type: 'confirmation_needed' as const, payData, confirm: ['tid'] } };
};

/** The beginning of a check's title, and a change of a correct channel that the check finds. */
const DEFECTS: readonly (readonly [found: string, change: (correct: Channel) => Partial<Channel>])[] = [
  ['has every call', () => ({ name: 'a/b' })],
  ['starts a payment once', () => ({ initiate: async ({ amount }) => asked(randomUUID(), amount) })],
  ['offers amounts in minor units', () => ({ initiate: async ({ amount }) => asked('account', amount / 1_000) })],
  ['does not call a payment paid', () => ({ verify: async ({ amount }) => succeeded(amount) })],
  ['does not call a payment paid', () => ({ verify: async (_payment, now) => ({ askAgainAt: now }) })],
  ['finds a payment that was paid', () => ({ verify: async ({ amount }) => succeeded(amount + 0.5) })],
  ['reports no success of a cancelled payment', () => ({ verify: async () => succeeded(1) })],
  ['says what was paid', () => ({ verify: async ({ amount }) => succeeded(amount) })],
  ['does not cancel a payment that is paid', () => ({ cancel: async () => ({ event: { type: 'cancelled' } }) })],
  ['cancels a payment that it has never seen', () => ({ cancel: () => Promise.reject(new Error('not found')) })],
  [
    'sends a payout once',
    () => {
      const events = [{ type: 'succeeded' as const }, { type: 'declined' as const, reason: 'INTERNAL_ERROR' }];
      return { payOut: async () => ({ event: events.shift() ?? { type: 'succeeded' } }) };
    },
  ],
  [
    'leaves the outcome of a payout open after a 503',
    ({ payOut }) => ({
      payOut: (payout, now) => payOut(payout, now).catch(() => Promise.reject(new ChannelUnavailable('CHANNEL_DOWN'))),
    }),
  ],
  ['tells how a payout has ended', () => ({ verifyPayout: async () => ({ event: { type: 'succeeded' } }) })],
  [
    'takes no notification that its provider did not send',
    () => ({ notification: ({ body }) => /"transaction_id":"(\w+)"/.exec(body.toString())?.[1] }),
  ],
  ['knows which transaction a notification is about', () => ({ notification: () => undefined })],
];

it.each(DEFECTS)('fail for a channel with a defect: %s', async (found, change) => {
  const { channel, ...setup } = createCorrectChannel();
  const check = CHANNEL_CHECKS.find(({ title }) => title.startsWith(found));
  await expect(check?.run({ ...setup, channel: { ...channel, ...change(channel) } })).rejects.toThrow();
});
