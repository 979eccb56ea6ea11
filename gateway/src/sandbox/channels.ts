/** Channels in the condition that each merchant has set, in front of those that they would be without it. */
import { type Channel, type ChannelAnswer, ChannelUnavailable } from '../channel/channel.ts';
import type { PaymentEvent, PayoutEvent } from '../domain/events.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { ChannelSetting } from './settings.ts';
import type { World } from './world.ts';

const UP: ChannelSetting = { condition: 'up' };
const WAIT = { askAgainAt: undefined } as const;
const SLOW_MS = 3_000;

type Ask<E> = () => Promise<ChannelAnswer<E>>;

/** The setting of the method of a transaction. */
export function settingOf(world: World, kind: Transaction['kind'], method: string, merchantId: number): ChannelSetting {
  return world.of(merchantId).channels?.[`${kind} ${method}`] ?? UP;
}

/** The channel as it is for each merchant. */
export function conditioned(channel: Channel, world: World): Channel {
  /** What the channel responds in its condition. */
  async function inCondition<E>(transaction: Transaction, now: number, ask: Ask<E>): Promise<ChannelAnswer<E>> {
    const { kind, method, merchantId, attempts = 0 } = transaction;
    const { condition, delayMs = SLOW_MS } = settingOf(world, kind, method, merchantId);
    if (condition === 'down') throw new ChannelUnavailable('CHANNEL_DOWN');
    if (condition === 'overloaded') throw new ChannelUnavailable('CHANNEL_OVERLOADED');
    if (condition === 'manual') return WAIT;
    const readyAt = transaction.createdAt + delayMs;
    if (condition === 'slow' && now < readyAt) return { askAgainAt: readyAt };
    const answer = await ask();
    if (condition === 'lost_response' && attempts === 0) throw new Error('the response was lost on its way');
    return answer;
  }

  function blocked<E extends PaymentEvent | PayoutEvent>(transaction: Transaction, ask: Ask<E>): Ask<E> {
    const reason = world.of(transaction.merchantId).blocked?.[transaction.customer.id];
    return reason === undefined ? ask : async () => ({ event: { type: 'declined', reason } as E });
  }

  return {
    ...channel,
    initiate: (payment, now) =>
      inCondition(
        payment,
        now,
        blocked(payment, () => channel.initiate(payment, now)),
      ),
    clarify: (payment, items, now) => inCondition(payment, now, () => channel.clarify(payment, items, now)),
    verify: (payment, now) => inCondition(payment, now, () => channel.verify(payment, now)),
    payOut: (payout, now) =>
      inCondition(
        payout,
        now,
        blocked(payout, () => channel.payOut(payout, now)),
      ),
  };
}
