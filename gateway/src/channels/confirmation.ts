/** The data with which a simulated channel asks for money, and the items that the customer has to confirm. */
import type { PaymentEvent } from '../domain/events.ts';
import { findMethod, type Methods } from '../domain/methods.ts';
import type { ChannelPayment } from './channel.ts';
import { selectOutcome } from './scenarios.ts';

/** Amounts offered in addition to the requested one are the next full hundred units. */
const ROUND_MINOR = 10_000;

type Confirmation = Omit<Extract<PaymentEvent, { type: 'confirmation_needed' }>, 'type'>;

export function confirmation(methods: Methods, payment: ChannelPayment): Confirmation {
  const { amount, channel, method } = payment;
  const rounded = Math.ceil(amount / ROUND_MINOR) * ROUND_MINOR;
  return {
    payData: { receiver_account: `collect@${channel}`, available_amounts: [...new Set([amount, rounded])] },
    confirm: selectOutcome(payment).confirm ?? findMethod(methods, 'payment', method)?.confirm ?? [],
  };
}
