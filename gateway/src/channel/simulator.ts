/** The channel of the sandbox: it moves no money, and does what the scenario of the transaction says. */
import type { PaymentEvent, PayoutEvent } from '../domain/events.ts';
import { findMethod } from '../domain/methods.ts';
import { hasForm } from '../domain/rules.ts';
import type { Payment } from '../domain/transaction.ts';
import type { Channel, ChannelAnswer } from './channel.ts';
import { type DeclineStep, type Outcome, outcomeFor } from './scenarios.ts';

const WAIT = { askAgainAt: undefined } as const;
/** Amounts offered beside the requested one are the next full hundred units. */
const ROUND_MINOR = 10_000;

export const simulator: Channel = {
  sandbox: true,

  async initiate(payment): Promise<ChannelAnswer<PaymentEvent>> {
    const outcome = outcomeFor(payment);
    const declined = declineAt(outcome, 'initiate');
    if (declined) return { event: declined };
    if (outcome.stopIn === 'CREATED' || payment.flow === 'redirect') return WAIT;
    if (outcome.clarify) return { event: { type: 'clarification_needed', items: outcome.clarify } };
    return { event: { type: 'confirmation_needed', ...confirmation(payment) } };
  },

  async clarify(payment, items): Promise<PaymentEvent> {
    const method = findMethod('payment', payment.method);
    if (method && !hasForm(method, items['account_number']))
      return { type: 'declined', reason: 'INVALID_ACCOUNT_DETAILS' };
    return { type: 'clarified', items, ...confirmation(payment) };
  },

  async verify(payment, now): Promise<ChannelAnswer<PaymentEvent>> {
    const outcome = outcomeFor(payment);
    const declined = declineAt(outcome, 'verify');
    if (declined) return { event: declined };
    if (outcome.stopIn === 'VERIFYING') return WAIT;
    return delayed(payment.createdAt, outcome, now) ?? { event: paid(payment) };
  },

  async payOut(payout, now): Promise<ChannelAnswer<PayoutEvent>> {
    const outcome = outcomeFor(payout);
    const declined = declineAt(outcome, 'initiate');
    if (declined) return { event: declined };
    if (outcome.stopIn === 'PROCESSING') return WAIT;
    return delayed(payout.createdAt, outcome, now) ?? { event: { type: 'succeeded' } };
  },
};

function declineAt({ decline }: Outcome, step: DeclineStep): { type: 'declined'; reason: string } | undefined {
  return decline?.at === step ? { type: 'declined', reason: decline.reason } : undefined;
}

function delayed(since: number, { delayMs = 0 }: Outcome, now: number): { askAgainAt: number } | undefined {
  return now < since + delayMs ? { askAgainAt: since + delayMs } : undefined;
}

function confirmation(payment: Payment) {
  const rounded = Math.ceil(payment.amount / ROUND_MINOR) * ROUND_MINOR;
  return {
    payData: {
      receiver_account: `collect@${payment.channel}`,
      available_amounts: [...new Set([payment.amount, rounded])],
    },
    confirm: findMethod('payment', payment.method)?.confirm ?? [],
  };
}

/** The amount is the one that the customer says was transferred; confirmPayment has checked that it was offered. */
function paid(payment: Payment): PaymentEvent {
  return { type: 'succeeded', amountPaid: Number(payment.supplied['amount'] ?? payment.amount) };
}
