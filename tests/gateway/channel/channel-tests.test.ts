/** The tests of channels: the simulated channels pass them, and channels with a defect fail. */
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

/** Changes of a correct channel, and the beginning of the check's title that finds each. */
const DEFECTS: readonly (readonly [title: string, change: (correct: Channel) => Partial<Channel>, found: string])[] = [
  ['a name that is part of no address', () => ({ name: 'a/b' }), 'has every call'],
  [
    'a payment that is started again',
    () => {
      let count = 0;
      return { initiate: async ({ amount }) => asked(`account-${count++}`, amount) };
    },
    'starts a payment once',
  ],
  ['an event that is not legal', () => ({ initiate: async () => succeeded(1) }), 'starts a payment once'],
  [
    'an amount in major units',
    () => ({ initiate: async ({ amount }) => asked('account', amount / 1_000) }),
    'offers amounts',
  ],
  [
    'success that is guessed',
    () => ({ verify: async ({ amount }) => succeeded(amount) }),
    'does not call a payment paid',
  ],
  [
    'a request to be asked again at once',
    () => ({ verify: async (_payment, now) => ({ askAgainAt: now }) }),
    'does not call a payment paid',
  ],
  [
    'an amount with a fraction',
    () => ({ verify: async ({ amount }) => succeeded(amount + 0.5) }),
    'finds a payment that was paid',
  ],
  ['success of a cancelled payment', () => ({ verify: async () => succeeded(1) }), 'reports no success of a cancelled'],
  ['the requested amount', () => ({ verify: async ({ amount }) => succeeded(amount) }), 'says what was paid'],
  [
    'cancellation of a paid payment',
    () => ({ cancel: async () => ({ event: { type: 'cancelled' } }) }),
    'does not cancel a payment that is paid',
  ],
  [
    'an error for an unknown payment',
    () => ({ cancel: () => Promise.reject(new Error('not found')) }),
    'cancels a payment that it has never seen',
  ],
  [
    'a payout whose repeat is refused',
    () => {
      const events = [{ type: 'succeeded' as const }, { type: 'declined' as const, reason: 'INTERNAL_ERROR' }];
      return { payOut: async () => ({ event: events.shift() ?? { type: 'succeeded' } }) };
    },
    'sends a payout once',
  ],
  [
    'a 503 that counts as a refusal',
    (correct) => ({
      payOut: (payout, now) =>
        correct.payOut(payout, now).catch(() => Promise.reject(new ChannelUnavailable('CHANNEL_OVERLOADED'))),
    }),
    'leaves the outcome of a payout open after a 503',
  ],
  [
    'a payout that is sent to find out how it has ended',
    () => ({ verifyPayout: async () => ({ event: { type: 'succeeded' } }) }),
    'tells how a payout has ended',
  ],
  [
    'a notification that anyone can send',
    () => ({ notification: ({ body }) => /"transaction_id":"(\w+)"/.exec(body.toString())?.[1] }),
    'takes no notification that its provider did not send',
  ],
  [
    'a notification about nothing',
    () => ({ notification: () => undefined }),
    'knows which transaction a notification is about',
  ],
];

it.each(DEFECTS)('find %s', async (_title, change, found) => {
  const { channel, ...setup } = createCorrectChannel();
  const check = CHANNEL_CHECKS.find(({ title }) => title.startsWith(found));
  await expect(check?.run({ ...setup, channel: { ...channel, ...change(channel) } })).rejects.toThrow();
});
