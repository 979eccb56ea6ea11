/**
 * The simulated channel's behavior as data: a customer or an account selects an outcome. The reference lists the
 * same rows.
 */
import { RESERVED_PREFIXES } from '../../../contract/src/mock/customers.ts';
import { OTHER_DECLINES } from '../../../contract/src/other-declines.ts';
import { paymentDeclineReasons, payoutDeclineReasons } from '../../../generated/decline-reasons.ts';
import { requestExamples, responseExamples } from '../../../generated/examples.ts';
import type { Flow, PaymentStatus, Transaction } from '../domain/transaction.ts';

/** Duration of a delayed success, in milliseconds. */
const DELAY_MS = 10_000;

/** The point of the decline: before the channel has it, or at a step of the channel. A payout has one step, which verifies. */
export type DeclineStep = 'opening' | 'clarify' | 'verify';

export interface ScenarioOutcome {
  readonly decline?: { readonly reason: string; readonly at: DeclineStep };
  /** Verification, or the payout, takes this long. */
  readonly delayMs?: number;
  /** Stays in this status until the session expires, or forever. */
  readonly stopIn?: PaymentStatus | 'PROCESSING';
  /** Has its receiving account immediately, so that it begins in this status. */
  readonly opensIn?: 'PAY_CONFIRMATION_NEEDED';
  /** Only simulation requests move the transaction. */
  readonly manual?: true;
  /** Asks for these items first. */
  readonly clarify?: readonly string[];
  /** Items to confirm, instead of the method's. */
  readonly confirm?: readonly string[];
}

export interface Scenario {
  readonly kind: Transaction['kind'];
  readonly field: 'customer.id' | 'customer.account_number';
  readonly value: string;
  /** The only flow in which it can take effect, if any. */
  readonly flow?: Flow;
  readonly outcome: ScenarioOutcome;
  readonly summary: string;
}

const PAYMENT_REASONS = Object.keys({ ...paymentDeclineReasons, ...OTHER_DECLINES.payment });
const PAYOUT_REASONS = Object.keys({ ...payoutDeclineReasons, ...OTHER_DECLINES.payout });

/** The declined customers of the examples, with the reason. */
const DECLINED_EXAMPLES = [
  {
    kind: 'payment',
    response: responseExamples.getPayment[200].declined,
    customers: Object.values(requestExamples.createPayment),
  },
  {
    kind: 'payout',
    response: responseExamples.getPayout[200].declined,
    customers: Object.values(requestExamples.createPayout),
  },
] as const;

/** Payments of the examples that request other items than their method. */
const REQUESTED_ITEMS = [
  {
    ...requestExamples.createPayment['h2h-upi-clarify'].body,
    requested: {
      clarify: responseExamples.createPayment[200]['h2h-upi-clarify'].clarify,
      confirm: responseExamples.clarifyPayment[200]['account-and-email'].confirm,
    },
  },
  {
    ...requestExamples.createPayment['h2h-upi-confirm'].body,
    requested: {
      opensIn: responseExamples.createPayment[200]['h2h-upi-confirm'].status,
      confirm: responseExamples.createPayment[200]['h2h-upi-confirm'].confirm,
    },
  },
] as const;

/** A payment can request the items in the document's clarify examples. */
const ITEMS = [
  ...new Set(Object.values(requestExamples.clarifyPayment).flatMap(({ body }) => Object.keys(body.clarify_data))),
];

const STOPS = [
  'CREATED',
  'EXTRA_DATA_NEEDED',
  'PAY_CONFIRMATION_NEEDED',
  'VERIFYING',
] as const satisfies PaymentStatus[];

/** Statuses that only the host-to-host flow has. */
const HOST_TO_HOST: ReadonlySet<string | undefined> = new Set(['EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED']);

/** The requested item, if any item will do. */
const ANY_ITEM = 'name';

/** Payout accounts are digits, so the position in the table selects the reason: 999000000001 is the first. */
const ACCOUNT_BASE = 999_000_000_000;

/** Prefixes of test data. A value with such a prefix and without a row is a mistake. */
export const RESERVED: Readonly<Record<Scenario['field'], readonly string[]>> = {
  'customer.id': RESERVED_PREFIXES,
  'customer.account_number': [String(ACCOUNT_BASE).slice(0, 9)],
};

export const SCENARIOS: readonly Scenario[] = [
  ...(['payment', 'payout'] as const).flatMap((kind): Scenario[] => [
    byCustomer(kind, 'succeed', {}, `Succeeds as soon as it is ${kind === 'payment' ? 'paid' : 'created'}.`),
    byCustomer(
      kind,
      'succeed-later',
      { delayMs: DELAY_MS },
      `Succeeds, but not before ${DELAY_MS / 1000} seconds after its creation.`,
    ),
    byCustomer(
      kind,
      'manual',
      { manual: true },
      `Does nothing on its own: each step waits for a simulation call${kind === 'payment' ? ', until the payment expires' : ''}.`,
    ),
  ]),
  ...STOPS.map((status) =>
    byCustomer(
      'payment',
      `stop-${status}`,
      { stopIn: status, ...(status === 'EXTRA_DATA_NEEDED' && { clarify: [ANY_ITEM] }) },
      `Stays in \`${status}\`.`,
    ),
  ),
  byCustomer(
    'payment',
    'open-PAY_CONFIRMATION_NEEDED',
    { opensIn: 'PAY_CONFIRMATION_NEEDED' },
    'Is created in `PAY_CONFIRMATION_NEEDED`.',
  ),
  byCustomer('payout', 'stop-PROCESSING', { stopIn: 'PROCESSING' }, 'Stays in `PROCESSING`.'),
  ...DECLINED_EXAMPLES.flatMap(({ kind, response, customers }) =>
    customers
      .filter(({ body }) => body.merchant_order_id === response.merchant_order_id)
      .map(({ body }) =>
        byCustomer(
          kind,
          body.customer.id,
          declined(response.decline_reason),
          `Declined with \`${response.decline_reason}\`, as in the examples.`,
        ),
      ),
  ),
  ...REQUESTED_ITEMS.map(({ customer, requested }) =>
    byCustomer(
      'payment',
      customer.id,
      requested,
      `${'clarify' in requested ? `Asks for ${requested.clarify.map((item) => `\`${item}\``).join(' and ')}` : `Is created in \`${requested.opensIn}\``}, as in the examples.`,
    ),
  ),
  ...ITEMS.map((item) =>
    byCustomer('payment', `clarify-${item}`, { clarify: [item] }, `Asks for \`${item}\` in \`EXTRA_DATA_NEEDED\`.`),
  ),
  ...PAYMENT_REASONS.flatMap((reason) => [
    byCustomer(
      'payment',
      `decline-${reason}`,
      declined(reason),
      `Declined with \`${reason}\` as soon as it is created.`,
    ),
    byCustomer(
      'payment',
      `decline-clarified-${reason}`,
      { ...declined(reason, 'clarify'), clarify: [ANY_ITEM] },
      `Asks for \`${ANY_ITEM}\`, and is declined with \`${reason}\` once that is supplied.`,
    ),
    byCustomer(
      'payment',
      `decline-late-${reason}`,
      declined(reason, 'verify'),
      `Declined with \`${reason}\` after the customer has paid.`,
    ),
  ]),
  ...PAYOUT_REASONS.flatMap((reason, index): Scenario[] => [
    byCustomer('payout', `decline-${reason}`, declined(reason), `Declined with \`${reason}\`.`),
    byCustomer(
      'payout',
      `decline-late-${reason}`,
      { ...declined(reason, 'verify'), delayMs: DELAY_MS },
      `Declined with \`${reason}\` after ${DELAY_MS / 1000} seconds.`,
    ),
    {
      kind: 'payout',
      field: 'customer.account_number',
      value: String(ACCOUNT_BASE + index + 1),
      outcome: declined(reason),
      summary: `Declined with \`${reason}\`.`,
    },
  ]),
];

/** Looked up with every creation. */
const BY_VALUE = new Map(SCENARIOS.map((row) => [`${row.kind} ${row.field} ${row.value}`, row]));

export function findScenario(
  kind: Scenario['kind'],
  field: Scenario['field'],
  value: string | undefined,
): Scenario | undefined {
  return BY_VALUE.get(`${kind} ${field} ${value}`);
}

/** The row selected by the transaction's customer or account. The customer takes precedence. */
export function selectScenario({ kind, customer }: Pick<Transaction, 'kind' | 'customer'>): Scenario | undefined {
  const account = 'account_number' in customer ? customer.account_number : undefined;
  return findScenario(kind, 'customer.id', customer.id) ?? findScenario(kind, 'customer.account_number', account);
}

/** Returns the outcome for a transaction. An empty one is immediate success. */
export function selectOutcome(transaction: Pick<Transaction, 'kind' | 'customer'>): ScenarioOutcome {
  return selectScenario(transaction)?.outcome ?? {};
}

function declined(reason: string, at: DeclineStep = 'opening'): ScenarioOutcome {
  return { decline: { reason, at } };
}

function byCustomer(kind: Transaction['kind'], value: string, outcome: ScenarioOutcome, summary: string): Scenario {
  const row = { kind, field: 'customer.id', value, outcome } as const;
  const { clarify, stopIn, opensIn } = outcome;
  if (!clarify && !HOST_TO_HOST.has(stopIn) && !HOST_TO_HOST.has(opensIn)) return { ...row, summary };
  return { ...row, flow: 'h2h', summary: `${summary} Host-to-host only.` };
}
