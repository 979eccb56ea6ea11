/** Invariants of payments and payouts under any sequence of events. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { listMovements, type Movement, type Progress, readMachines } from '../../../contract/src/reference-model.ts';
import { senderForm } from '../../../contract/src/sender.ts';
import { IllegalMove, type PaymentEvent } from '../../../gateway/src/domain/events.ts';
import { listChanges } from '../../../gateway/src/domain/history.ts';
import { findMethod, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import {
  acceptClarification,
  applyPaymentEvent,
  openPayment,
  requestCancel,
} from '../../../gateway/src/domain/payment.ts';
import { applyPayoutEvent, openPayout } from '../../../gateway/src/domain/payout.ts';
import { askNow, beginCall } from '../../../gateway/src/domain/schedule.ts';
import {
  type Items,
  isFinal,
  type Payment,
  type Payout,
  type Step,
  type Transaction,
} from '../../../gateway/src/domain/transaction.ts';
import { reserveUsage } from '../../../gateway/src/domain/usage.ts';
import { paymentOrder, payoutOrder } from '../../../gateway/src/transactions/orders.ts';
import { viewCreation, viewPayoutCreation, viewTransaction } from '../../../gateway/src/transactions/view.ts';
import { checkResponse, matchWebhooks } from '../../tools/sender.ts';
import { START } from '../harness/fixtures.ts';
import {
  covers,
  later,
  paymentEvents,
  paymentRequests,
  payoutEvents,
  payoutRequests,
  type TimedEvents,
} from './arbitraries.ts';

const BUNDLE = senderForm(readBundle());
const STATES = BUNDLE['x-state-machines'];
const MACHINES = readMachines(BUNDLE);
/** Created, asked for data, data supplied, clarified, cancelled, found paid, succeeded. */
const HISTORY_MAX = 7;
const HISTORY_BYTES_MAX = 300;

interface History<T extends Transaction, E> {
  /** The opening, followed by a step per applied event. */
  readonly steps: readonly Step<T>[];
  /** Events that led to another status. */
  readonly taken: readonly E[];
}

/** Actions of the gateway on a payment, besides applying its channel's events. */
type Action =
  | { readonly type: 'ask' }
  | { readonly type: 'count' }
  | { readonly type: 'cancel' }
  | { readonly type: 'accept'; readonly items: Items };

/** The steps of a transaction from its opening. Illegal events are skipped. */
function run<T extends Transaction, E>(
  opened: Step<T>,
  happenings: readonly TimedEvents<E>[],
  apply: (transaction: T, event: E, now: number) => Step<T>,
): History<T, E> {
  const steps = [opened];
  const taken: E[] = [];
  let now = START;
  let { transaction } = opened;
  for (const { events, wait, full } of happenings) {
    now += wait;
    for (const event of events) {
      let step = unlessIllegal(() => apply(transaction, event, now));
      if (!step) continue;
      while (full && step.overLimit) step = step.overLimit();
      steps.push(step);
      if (step.transaction.status !== transaction.status) taken.push(event);
      transaction = step.transaction;
      break;
    }
  }
  return { steps, taken };
}

function unlessIllegal<S>(move: () => S): S | undefined {
  try {
    return move();
  } catch (error) {
    if (error instanceof IllegalMove) return undefined;
    throw error;
  }
}

/** Counts the transaction before its first call, as the gateway does. */
function count<T extends Transaction>(transaction: T, now: number): Step<T> {
  if (isFinal(transaction.status) || transaction.usageAmount !== undefined) throw new IllegalMove('counted', 'count');
  const calling = beginCall(transaction, now);
  return reserveUsage(sandboxMethods, calling, transaction.amount, () => calling);
}

const ACCEPT = { type: 'accept', items: { name: 'Asha Rao' } } as const;
const actions = fc.constantFrom<Action>({ type: 'count' }, { type: 'cancel' }, { type: 'ask' }, ACCEPT, ACCEPT, ACCEPT);

function act(payment: Payment, happened: PaymentEvent | Action, now: number): Step<Payment> {
  if (happened.type === 'count') return count(payment, now);
  if (happened.type === 'cancel') return requestCancel(payment, 'CANCELLED_BY_CUSTOMER', now);
  if (happened.type === 'ask' && !isFinal(payment.status)) return askNow(payment, now);
  if (happened.type === 'ask') throw new IllegalMove(payment.status, 'ask');
  if (happened.type === 'accept') return acceptClarification(payment, happened.items, now);
  return applyPaymentEvent(sandboxMethods, payment, happened, now);
}

const OPENING = { methods: sandboxMethods, merchantId: 10001, now: START };

const payments = fc
  .tuple(paymentRequests, later(fc.oneof({ weight: 9, arbitrary: paymentEvents }, actions)))
  .map(([request, events]) =>
    run<Payment, PaymentEvent | Action>(
      openPayment({
        ...OPENING,
        id: 'pay_01KJPWD6M0J09BZPCH3ETT3T8D',
        order: paymentOrder(request),
        checkoutToken: 'abc',
      }),
      events,
      act,
    ),
  );

const payouts = fc
  .tuple(payoutRequests, covers, later(fc.oneof(payoutEvents, fc.constant({ type: 'count' as const }))))
  .map(([request, fundsHold, events]) =>
    run(
      openPayout({ ...OPENING, id: 'out_01KJSJ7S80PWJRB7XE5PZ2VJZ4', order: payoutOrder(request), fundsHold }),
      events,
      (payout, event, now) => (event.type === 'count' ? count(payout, now) : applyPayoutEvent(payout, event, now)),
    ),
  );

/** Steps with a new status, including the opening. */
function listStatusChanges<T extends Transaction>(steps: readonly Step<T>[]): Step<T>[] {
  return steps.filter(({ transaction }, index) => steps[index - 1]?.transaction.status !== transaction.status);
}

/** The ledger entries of the steps, in the model's form. */
function listPostings(steps: readonly Step<Transaction>[]): Movement[] {
  return steps.flatMap(({ entries }) => entries.map(({ from, to, amount }) => ({ from, to, amount })));
}

/** The facts that determine a transaction's money. The hold is decided at creation. */
function toProgress(opened: Transaction, now: Transaction): Progress {
  const { kind, status } = now;
  return now.kind === 'payment'
    ? { kind, status, amount: now.amountPaid ?? 0 }
    : { kind, status, amount: now.amount, held: opened.kind === 'payout' && opened.fundsHold === 'held' };
}

function last<T>(steps: readonly T[]): T {
  const step = steps.at(-1);
  if (!step) throw new Error('nothing happened');
  return step;
}

/** A test that every history has a property. */
function always<H>(name: string, histories: fc.Arbitrary<H>, check: (history: H) => void): void {
  it(name, () => fc.assert(fc.property(histories, check)));
}

/** Properties of both kinds. */
function describeCommon<T extends Transaction>(
  kind: T['kind'],
  histories: fc.Arbitrary<History<T, unknown>>,
  viewCreated: (transaction: T) => object,
): void {
  it('reaches every status in the generated cases', () => {
    const sample = fc.sample(histories, { numRuns: 1_000, seed: 1 });
    const reached = new Set(sample.flatMap(({ steps }) => steps.map(({ transaction }) => transaction.status)));
    expect([...reached].sort()).toEqual(Object.keys(STATES[kind]?.states ?? {}).sort());
  });

  always('moves only as the contract allows', histories, ({ steps }) => {
    let from: string | null = null;
    for (const { transaction } of listStatusChanges(steps)) {
      const to = transaction.status;
      // The channel took the data and was paid before it responded: the intermediate status is never seen.
      const unseen = from === 'EXTRA_DATA_NEEDED' && to === 'VERIFYING';
      const allowed = unseen ? MACHINES.allowsOver(kind, from, to) : MACHINES.allows(kind, from, to);
      expect([allowed, `${from} → ${to}`]).toEqual([true, `${from} → ${to}`]);
      if (transaction.kind === 'payment') expect(STATES['payment']?.states[to]?.flows).toContain(transaction.flow);
      from = to;
    }
  });

  always('records each status change once, in order and with its cause, up to a limit', histories, ({ steps }) => {
    const { transaction } = last(steps);
    const history = listChanges(transaction);
    const statuses = history.map(({ status }) => status).filter((status, index, all) => all[index - 1] !== status);
    expect(statuses).toEqual(listStatusChanges(steps).map((step) => step.transaction.status));
    const times = history.map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(history.at(-1)?.status).toBe(transaction.status);
    expect(history.length).toBeLessThanOrEqual(HISTORY_MAX);
    expect(JSON.stringify(transaction.history ?? []).length).toBeLessThanOrEqual(HISTORY_BYTES_MAX);
  });

  always('accepts no event after a final status, and is due until then', histories, ({ steps }) => {
    const before = steps.slice(0, -1).map(({ transaction }) => transaction.status);
    expect(before.filter(isFinal)).toEqual([]);
    for (const { transaction } of steps) expect(transaction.dueAt !== undefined).toBe(!isFinal(transaction.status));
  });

  always('is always shown as the contract describes it', histories, ({ steps }) => {
    const operation = kind === 'payment' ? 'getPayment' : 'getPayout';
    for (const { transaction } of steps) checkResponse(operation, 200, viewTransaction(transaction));
  });

  always('counts its changes, and returns the same response to its creation forever', histories, ({ steps }) => {
    const answers = steps.map(({ transaction }) => viewCreated(transaction));
    if (kind === 'payment') checkResponse('createPayment', 200, answers[0]);
    else checkResponse('createPayout', 201, answers[0]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(steps.map(({ transaction }) => transaction.version)).toEqual(steps.map((_, index) => index + 1));
    const facts = steps.map(({ transaction: { merchantId, channel } }) => `${merchantId} ${channel}`);
    expect(new Set(facts).size).toBe(1);
  });

  always("has a webhook exactly in the contract's statuses with one", histories, ({ steps }) => {
    const changes = listStatusChanges(steps);
    expect(steps.filter((step) => step.notify && !changes.includes(step))).toEqual([]);
    for (const { transaction, notify } of changes) {
      const fitting = matchWebhooks(viewTransaction(transaction)).filter((name) => name.startsWith(kind));
      expect(fitting).toHaveLength(notify ? 1 : 0);
      expect(notify).toBe(MACHINES.isNotified(kind, transaction.status));
    }
  });

  always('moves money as the model does, step by step', histories, ({ steps }) => {
    const opened = last(steps.slice(0, 1)).transaction;
    for (const [index, { transaction }] of steps.entries()) {
      expect(listPostings(steps.slice(0, index + 1))).toEqual(listMovements(toProgress(opened, transaction)));
    }
  });

  always(
    "counts its maximum against the customer's limits, then the collected amount, and 0 once failed",
    histories,
    ({ steps }) => {
      let sum = 0;
      for (const { transaction, usage } of steps) {
        sum += usage?.amount ?? 0;
        // Only a reservation has limits, and it adds an amount.
        if (usage?.limits) expect(usage.amount).toBeGreaterThan(0);
        expect(sum).toBe(transaction.usageAmount ?? 0);
        if (transaction.status === 'FAILED') expect(sum).toBe(0);
        if (transaction.usageAmount === undefined || transaction.kind !== 'payment') continue;
        if (transaction.status === 'SUCCESS') expect(sum).toBe(transaction.amountPaid);
        const most = Math.max(0, ...(transaction.payData?.available_amounts ?? []));
        const { max = 0 } = findMethod(sandboxMethods, 'payment', transaction.method)?.limits ?? {};
        expect(most).toBeLessThanOrEqual(max);
        if (!isFinal(transaction.status)) expect(sum).toBeGreaterThanOrEqual(most);
      }
    },
  );
}

describe('a payment', () => {
  const checkoutUrl = (token: string) => `https://pay.example.com/checkout/${token}`;
  describeCommon<Payment>('payment', payments, (payment) => viewCreation(payment, checkoutUrl));

  always('is available after the settlement delay of its method', payments, ({ steps }) => {
    const { transaction, entries } = last(steps);
    if (transaction.status !== 'SUCCESS') return;
    const { settlementMs = 0 } = findMethod(sandboxMethods, 'payment', transaction.method) ?? {};
    expect(entries.map(({ availableAt }) => availableAt)).toEqual([(transaction.finalizedAt ?? 0) + settlementMs]);
  });

  always("keeps the customer's latest value of each item", payments, ({ steps, taken }) => {
    const given = taken.map((event) => ('items' in event && !Array.isArray(event.items) ? event.items : {}));
    expect(last(steps).transaction.supplied).toEqual(Object.assign({}, ...given));
  });
});

describe('a payout', () => {
  describeCommon<Payout>('payout', payouts, viewPayoutCreation);

  always('never succeeds without money held for it', payouts, ({ steps }) => {
    if (last(steps).transaction.status === 'SUCCESS') expect(steps[0]?.transaction.fundsHold).toBe('held');
  });
});
