/** The sandbox's channels, which follow the transaction's scenario and move no money. */

import { nearest } from '../../../contract/src/nearest.ts';
import { OTHER_DECLINES } from '../../../contract/src/other-declines.ts';
import type { CancelEvent, PaymentEvent, PayoutEvent } from '../domain/events.ts';
import { findMethod, type Methods } from '../domain/methods.ts';
import { hasForm } from '../domain/rules.ts';
import type { Flow, Transaction } from '../domain/transaction.ts';
import { isSameSecret } from '../platform/crypto.ts';
import type { Channel, ChannelPayment, ChannelResponse, InboundNotification, TestData } from './channel.ts';
import {
  type DeclineStep,
  findScenario,
  RESERVED,
  SCENARIOS,
  type Scenario,
  type ScenarioOutcome,
  selectOutcome,
  selectScenario,
} from './scenarios.ts';

/** Amounts offered in addition to the requested one are the next full hundred units. */
const ROUND_MINOR = 10_000;

type Confirmation = Omit<Extract<PaymentEvent, { type: 'confirmation_needed' }>, 'type'>;

function confirmation(methods: Methods, payment: ChannelPayment): Confirmation {
  const { amount, channel, method } = payment;
  const rounded = Math.ceil(amount / ROUND_MINOR) * ROUND_MINOR;
  return {
    payData: { receiver_account: `collect@${channel}`, available_amounts: [...new Set([amount, rounded])] },
    confirm: selectOutcome(payment).confirm ?? findMethod(methods, 'payment', method)?.confirm ?? [],
  };
}

// The simulator's test data: predetermined outcomes, and detection of misspelled values.

function simulatorTestData(methods: Methods): TestData {
  return {
    plan(transaction) {
      const scenario = selectScenario(transaction);
      if (!scenario) return undefined;
      const { decline, opensIn } = scenario.outcome;
      if (opensIn)
        return { opening: (payment) => ({ type: 'confirmation_needed', ...confirmation(methods, payment) }) };
      return decline?.at === 'opening' ? { decline: decline.reason } : {};
    },
    decliner(transaction) {
      const { field, value, outcome } = selectScenario(transaction) ?? {};
      return field && value && outcome?.decline?.reason === transaction.declineReason ? { field, value } : undefined;
    },
    mistake,
  };
}

function mistake(request: Pick<Transaction, 'kind' | 'customer'>, flow: Flow): ReturnType<TestData['mistake']> {
  for (const field of ['customer.id', 'customer.account_number'] as const) {
    const value = givenValue(request, field);
    const scenario = findScenario(request.kind, field, value);
    if (scenario) return mistakenFlow(scenario, flow);
    const prefix = RESERVED[field].find((reserved) => value?.toLowerCase().startsWith(reserved));
    if (value === undefined || prefix === undefined) continue;
    const nearest = nearestRow(value, prefix, { kind: request.kind, field });
    const message = `is not in the sandbox's table of test ${request.kind}s; did you mean ${nearest}?`;
    return { pointer: toFieldPointer(field), message };
  }
  return undefined;
}

function mistakenFlow({ field, flow, value }: Scenario, taken: Flow) {
  if (flow === undefined || flow === taken) return undefined;
  return {
    pointer: toFieldPointer(field),
    message: `is ${value}, which takes effect in the host-to-host flow only; omit return_url, and use a method of that flow`,
  };
}

function givenValue({ customer }: Pick<Transaction, 'customer'>, field: Scenario['field']): string | undefined {
  return field === 'customer.id' ? customer.id : (customer as { account_number?: string }).account_number;
}

/** Returns the most similar value, preferring values with a common prefix. */
function nearestRow(value: string, prefix: string, { kind, field }: Pick<Scenario, 'kind' | 'field'>): string {
  const rows = SCENARIOS.filter((row) => row.kind === kind && row.field === field).map((row) => row.value);
  const alike = rows.filter((row) => row.startsWith(prefix));
  return nearest(value, alike.length > 0 ? alike : rows)?.name ?? '';
}

function toFieldPointer(field: Scenario['field']): string {
  return `/${field.replace('.', '/')}`;
}

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
    declineReasons: Object.values(OTHER_DECLINES).flatMap((reasons) => Object.keys(reasons)),

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
