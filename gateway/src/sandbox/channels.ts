/** Wraps channels to apply each merchant's channel settings. */
import {
  type Channel,
  type ChannelPayment,
  type ChannelPayout,
  type ChannelResponse,
  ChannelUnavailable,
} from '../channels/channel.ts';
import type { PaymentEvent, PayoutEvent } from '../domain/events.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { SandboxState } from './sandbox-state.ts';
import type { ChannelSetting } from './settings.ts';

const UP: ChannelSetting = { condition: 'up' };
const WAIT = { askAgainAt: undefined } as const;
const SLOW_MS = 3_000;

type Seen = ChannelPayment | ChannelPayout;
type Ask<E> = () => Promise<ChannelResponse<E>>;

export function selectSetting(
  sandboxState: SandboxState,
  kind: Transaction['kind'],
  method: string,
  merchantId: number,
): ChannelSetting {
  return sandboxState.of(merchantId).channels?.[`${kind} ${method}`] ?? UP;
}

/** The channel as it is for each merchant. */
export function withCondition(channel: Channel, sandboxState: SandboxState): Channel {
  /** Asks the channel in its condition. */
  async function inCondition<E>(transaction: Seen, now: number, ask: Ask<E>): Promise<ChannelResponse<E>> {
    const { kind, method, merchantId, attempts = 0 } = transaction;
    const { condition, delayMs = SLOW_MS } = selectSetting(sandboxState, kind, method, merchantId);
    if (condition === 'down') throw new ChannelUnavailable('CHANNEL_DOWN');
    if (condition === 'overloaded') throw new ChannelUnavailable('CHANNEL_OVERLOADED');
    if (condition === 'manual') return WAIT;
    const readyAt = transaction.createdAt + delayMs;
    if (condition === 'slow' && now < readyAt) return { askAgainAt: readyAt };
    const answer = await ask();
    if (condition === 'lost_response' && attempts === 0) throw new Error('the response was lost on its way');
    return answer;
  }

  function blocked<E extends PaymentEvent | PayoutEvent>(transaction: Seen, ask: Ask<E>): Ask<E> {
    const { blocked = {} } = sandboxState.of(transaction.merchantId);
    const { id } = transaction.customer;
    // Any text is an id, `constructor` too.
    if (!Object.hasOwn(blocked, id)) return ask;
    return async () => ({ event: { type: 'declined', reason: blocked[id] } as E });
  }

  return {
    ...channel,
    initiate: (payment, now, context) =>
      inCondition(
        payment,
        now,
        blocked(payment, () => channel.initiate(payment, now, context)),
      ),
    clarify: (payment, items, now, context) =>
      inCondition(payment, now, () => channel.clarify(payment, items, now, context)),
    verify: (payment, now, context) => inCondition(payment, now, () => channel.verify(payment, now, context)),
    payOut: (payout, now, context) =>
      inCondition(
        payout,
        now,
        blocked(payout, () => channel.payOut(payout, now, context)),
      ),
  };
}
