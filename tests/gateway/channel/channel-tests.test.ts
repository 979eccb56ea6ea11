/** The tests of channels: the simulated channels pass them, and channels with a defect fail. */
import { expect, it } from 'vitest';
import { CHANNEL_CHECKS, type ChannelSetup, describeChannel } from '../../../gateway/src/channel-tests.ts';
import { type Channel, ChannelUnavailable } from '../../../gateway/src/channels/channel.ts';
import { simulatedChannels } from '../../../gateway/src/channels/simulator.ts';
import { contractMethods } from '../../../gateway/src/domain/methods.ts';

const SECRET = '0123456789abcdef';

function notification(id: string, secret = SECRET) {
  return {
    headers: { authorization: `Bearer ${secret}` },
    body: Buffer.from(JSON.stringify({ transaction_id: id })),
  };
}

for (const channel of simulatedChannels(contractMethods, new Map([['upi-standard', SECRET]])))
  describeChannel(channel.name, async () => ({ channel, notify: notification }));

/** A correct channel with paying customers, in memory. */
function createCorrectChannel(): Required<Pick<ChannelSetup, 'channel' | 'pay' | 'notify' | 'failNext'>> {
  let failing = false;
  const paid = new Map<string, number>();
  const cancelled = new Set<string>();
  const [simulated] = simulatedChannels(contractMethods, new Map([['upi-standard', SECRET]]));
  if (!simulated) throw new Error('there is no simulated channel');
  return {
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
    notify: notification,
  };
}

async function collectFailures(setup: ChannelSetup): Promise<string[]> {
  const failures: string[] = [];
  for (const { title, run } of CHANNEL_CHECKS) await run(setup).catch(() => failures.push(title));
  return failures;
}

it('accept a correct channel', async () => {
  expect(await collectFailures(createCorrectChannel())).toEqual([]);
});

let count = 0;
const succeeded = (amountPaid: number) => ({ event: { type: 'succeeded', amountPaid } }) as const;

const DEFECTS: readonly (readonly [title: string, change: (sound: Channel) => Partial<Channel>, found: string])[] = [
  ['a name that is part of no address', () => ({ name: 'a/b' }), 'has every call'],
  [
    'a payment that is started again',
    (sound) => ({
      async initiate(payment, now) {
        const answer = await sound.initiate(payment, now);
        if (!('event' in answer) || answer.event.type !== 'confirmation_needed') return answer;
        const payData = { ...answer.event.payData, receiver_account: `account-${count++}` };
        return { event: { ...answer.event, payData } };
      },
    }),
    'starts a payment once',
  ],
  ['an event that is not legal', () => ({ initiate: async () => succeeded(1) }), 'starts a payment once'],
  [
    'an amount in major units',
    () => ({
      initiate: async ({ amount }) => ({
        event: {
          type: 'confirmation_needed',
          payData: { receiver_account: 'account', available_amounts: [amount / 1_000] },
          confirm: ['tid'],
        },
      }),
    }),
    'offers amounts',
  ],
  [
    'success that is guessed',
    () => ({ verify: async ({ amount }) => succeeded(amount) }),
    'does not call a payment paid',
  ],
  [
    'a request to be asked again at once',
    (sound) => ({
      async verify(payment, now) {
        const answer = await sound.verify(payment, now);
        return 'event' in answer ? answer : { askAgainAt: now };
      },
    }),
    'does not call a payment paid',
  ],
  [
    'a time in seconds',
    () => ({ verify: async (_payment, now) => ({ askAgainAt: Math.round(now / 1_000) }) }),
    'does not call a payment paid',
  ],
  [
    'an amount with a fraction',
    (sound) => ({
      async verify(payment, now) {
        const answer = await sound.verify(payment, now);
        return 'event' in answer && answer.event.type === 'succeeded' ? succeeded(payment.amount + 0.5) : answer;
      },
    }),
    'finds a payment that was paid',
  ],
  [
    'a decline without a reason',
    () => ({ verify: async () => ({ event: { type: 'declined' } as never }) }),
    'reports no success of a cancelled payment',
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
      const sent = new Set<string>();
      return {
        async payOut({ id }) {
          if (sent.has(id)) return { event: { type: 'declined', reason: 'INTERNAL_ERROR' } };
          sent.add(id);
          return { event: { type: 'succeeded' } };
        },
      };
    },
    'sends a payout once',
  ],
  [
    'a 503 that counts as a refusal',
    (sound) => ({
      payOut: (payout, now) =>
        sound.payOut(payout, now).catch(() => Promise.reject(new ChannelUnavailable('CHANNEL_OVERLOADED'))),
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
    'a notification that throws',
    () => ({ notification: ({ body }) => JSON.parse(body.toString()).transaction_id }),
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
  const failures = await collectFailures({ ...setup, channel: { ...channel, ...change(channel) } });
  expect(failures.filter((title) => title.startsWith(found))).toHaveLength(1);
});
