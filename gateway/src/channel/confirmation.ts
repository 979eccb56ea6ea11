/** What a simulated channel asks the customer to pay, and what the customer has to confirm. */
import type { PaymentEvent } from '../domain/events.ts';
import { findMethod } from '../domain/methods.ts';
import type { Payment } from '../domain/transaction.ts';

/** Amounts offered in addition to the requested one are the next full hundred units. */
const ROUND_MINOR = 10_000;

type Confirmation = Omit<Extract<PaymentEvent, { type: 'confirmation_needed' }>, 'type'>;

export function confirmation({ amount, channel, method }: Payment): Confirmation {
  const rounded = Math.ceil(amount / ROUND_MINOR) * ROUND_MINOR;
  return {
    payData: { receiver_account: `collect@${channel}`, available_amounts: [...new Set([amount, rounded])] },
    confirm: findMethod('payment', method)?.confirm ?? [],
  };
}
