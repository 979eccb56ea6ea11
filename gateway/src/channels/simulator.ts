/** The sandbox's channels, which follow the transaction's scenario and move no money. */
import type { CancelEvent, PaymentEvent, PayoutEvent } from '../domain/events.ts';
import { findMethod, type Methods } from '../domain/methods.ts';
import { hasForm } from '../domain/rules.ts';
import { isSameSecret } from '../platform/crypto.ts';
import type { Channel, ChannelPayment, ChannelResponse, InboundNotification } from './channel.ts';
import { confirmation } from './confirmation.ts';
import { type DeclineStep, OUTSIDE_TABLES, type ScenarioOutcome, selectOutcome } from './scenarios.ts';
import { simulatorTestData } from './simulator-test-data.ts';

const WAIT = { askAgainAt: undefined } as const;

/**
 * Creates a simulated channel for each channel name of the methods, including those for trusted customers. Channels
 * with a secret accept notifications. Throws if a secret belongs to no channel.
 */
export function simulatedChannels(methods: Methods, secrets: ReadonlyMap<string, string> = new Map()): Channel[] {
  const names = new Set(methods.flatMap(({ channels }) => Object.values(channels)));
  const surplus = [...secrets.keys()].find((name) => !names.has(name));
  if (surplus !== undefined)
    throw new Error(`there is a secret for the channel ${surplus}; the channels are ${[...names].join(', ')}`);
  return [...names].map((name) => createSimulator(methods, name, secrets.get(name)));
}

/** A channel that runs the scenarios under a name. */
export function createSimulator(methods: Methods, name: string, secret?: string): Channel {
  return {
    ...(secret !== undefined && { notification: (request) => notifiedId(request, secret) }),
    name,
    sandbox: true,
    testData: simulatorTestData(methods),
    declineReasons: Object.values(OUTSIDE_TABLES),

    async initiate(payment): Promise<ChannelResponse<PaymentEvent>> {
      const outcome = selectOutcome(payment);
      if (outcome.manual || outcome.stopIn === 'CREATED' || payment.flow === 'redirect') return WAIT;
      if (outcome.clarify) return { event: { type: 'clarification_needed', items: outcome.clarify } };
      return { event: { type: 'confirmation_needed', ...confirmation(methods, payment) } };
    },

    async clarify(payment, items): Promise<ChannelResponse<PaymentEvent>> {
      const method = findMethod(methods, 'payment', payment.method);
      if (method && !hasForm(method, items['account_number']))
        return { event: { type: 'declined', reason: 'INVALID_ACCOUNT_DETAILS' } };
      const outcome = selectOutcome(payment);
      if (outcome.manual) return WAIT;
      const declined = findDecline(outcome, 'clarify');
      if (declined) return { event: declined };
      return { event: { type: 'clarified', items, ...confirmation(methods, payment) } };
    },

    receiver: (payment) => confirmation(methods, payment).payData.receiver_account,

    async verify(payment, now): Promise<ChannelResponse<PaymentEvent>> {
      // A payment counts as unpaid until the customer confirms it.
      if (payment.status !== 'VERIFYING') return WAIT;
      const outcome = selectOutcome(payment);
      if (outcome.manual || outcome.stopIn === 'VERIFYING') return WAIT;
      const event = findDecline(outcome, 'verify') ?? paid(payment);
      return delayed(payment.createdAt, outcome, now) ?? { event };
    },

    async cancel(): Promise<ChannelResponse<CancelEvent>> {
      return { event: { type: 'cancelled' } };
    },

    async payOut(payout, now): Promise<ChannelResponse<PayoutEvent>> {
      const outcome = selectOutcome(payout);
      if (outcome.manual || outcome.stopIn === 'PROCESSING') return WAIT;
      const event = findDecline(outcome, 'verify') ?? { type: 'succeeded' };
      return delayed(payout.createdAt, outcome, now) ?? { event };
    },

    async verifyPayout(): Promise<ChannelResponse<PayoutEvent>> {
      return WAIT;
    },
  };
}

function findDecline(
  { decline }: ScenarioOutcome,
  step: DeclineStep,
): { type: 'declined'; reason: string } | undefined {
  return decline?.at === step ? { type: 'declined', reason: decline.reason } : undefined;
}

function delayed(since: number, { delayMs = 0 }: ScenarioOutcome, now: number): { askAgainAt: number } | undefined {
  return now < since + delayMs ? { askAgainAt: since + delayMs } : undefined;
}

/** The amount that the customer reported. confirmPayment has checked that it was offered. */
function paid({ confirm, supplied, amount }: ChannelPayment): PaymentEvent {
  const given = confirm?.includes('amount') ? supplied['amount'] : undefined;
  return { type: 'succeeded', amountPaid: Number(given ?? amount) };
}

/** Reads the id from `{"transaction_id": "<id>"}`; undefined unless it came with `Authorization: Bearer <secret>`. */
function notifiedId({ headers, body }: InboundNotification, secret: string): string | undefined {
  if (!isSameSecret(String(headers['authorization']), `Bearer ${secret}`)) return undefined;
  try {
    const { transaction_id: id } = JSON.parse(new TextDecoder().decode(body)) as { transaction_id?: unknown };
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}
