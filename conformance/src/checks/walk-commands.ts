/** Steps of random walks, with their effects on the model. */

import fc from 'fast-check';
import type { JsonObject } from '../../../contract/src/model.ts';
import {
  balanceAfter,
  EMPTY,
  listMovements,
  reachable,
  type TransactionKind,
} from '../../../contract/src/reference-model.ts';
import type { Context } from '../core/check.ts';
import { InsufficientFunds } from '../core/creation-options.ts';
import { type Finding, NotReached } from '../core/finding.ts';
import { foundStatus } from '../core/judge.ts';
import { actions, findAction, isSuccess, lastSeen, readStatus, type TrackedTransaction } from '../core/tracked.ts';
import { assumption } from '../document/basis.ts';
import type { PaymentGoal, PayoutGoal } from '../drivers/driver.ts';
import { type Exchange, readMember, readString } from '../service/exchange.ts';

export type Real = Context;

export interface Model {
  readonly transactions: {
    readonly tracked: TrackedTransaction;
    status: string;
    readonly amount: number;
    /** The status in which it ends. */
    readonly goal: PaymentGoal | PayoutGoal;
  }[];
}

/** A step that the model doesn't allow. */
export class WalkFailure extends Error {
  readonly finding: Finding;
  /** The requests of the walk that changed something. */
  requests: readonly Exchange[] = [];
  constructor(finding: Finding) {
    super(`${finding.at}: expected ${finding.expected}, found ${finding.found}`);
    this.finding = finding;
  }
}

type Step = fc.AsyncCommand<Model, Real>;
type Entry = Model['transactions'][number];

const TRANSACTIONS_MAX = 5;
const CONFLICT = 409;

/** Final states that the payments of a walk are driven to. */
const GOALS: readonly PaymentGoal[] = [
  { flow: 'h2h', until: 'SUCCESS' },
  { flow: 'h2h', until: 'SUCCESS', asks: true },
  { flow: 'h2h', until: 'FAILED' },
];

/** Arbitraries of the steps. Steps on a transaction choose one that the walk has created. */
export function createCommands({ driver }: Context, withPayouts: boolean): fc.Arbitrary<Step>[] {
  const nth = fc.nat(TRANSACTIONS_MAX - 1);
  const goals = GOALS.filter((goal) => driver.payment(goal));
  return [
    fc.constantFrom(...goals).map((goal) => create('payment', goal.until, goal)),
    ...(withPayouts ? [fc.constantFrom('SUCCESS', 'FAILED').map((until) => create('payout', until))] : []),
    nth.map((index) => onTransaction('act', index, act)),
    nth.map((index) => onTransaction('act illegally', index, actIllegally)),
    nth.map((index) => onTransaction('read', index, read)),
    nth.map((index) => onTransaction('repeat', index, repeat)),
  ];
}

function create(kind: TransactionKind, until: string, goal?: PaymentGoal): Step {
  return {
    check: ({ transactions }) => transactions.length < TRANSACTIONS_MAX,
    async run(model, { driver, fixtures }) {
      const body: JsonObject = (goal ? driver.payment(goal) : driver.payout({ until })) ?? {};
      const tracked = await fixtures.create(kind, body);
      const status = readString(tracked.creation.body, 'status') ?? '';
      model.transactions.push({ tracked, status, amount: Number(body['amount']), goal: goal ?? { until } });
    },
    toString: () => `create a ${kind} that ends in ${until}${goal?.asks ? ' and asks for data' : ''}`,
  };
}

function onTransaction(name: string, index: number, run: (context: Context, entry: Entry) => Promise<void>): Step {
  return {
    check: ({ transactions }) => transactions.length > index,
    async run({ transactions }, context) {
      const entry = transactions[index];
      if (entry) await run(context, entry);
    },
    toString: () => `${name} ${index + 1}`,
  };
}

async function read(context: Context, entry: Entry): Promise<void> {
  const exchange = await context.fixtures.read(entry.tracked);
  if (!isSuccess(exchange.call.operation, exchange)) fail(context, 'status', '200', foundStatus(exchange), exchange);
  advance(context, entry, exchange);
}

/** The status that was read can follow the last one. */
function advance(context: Context, entry: Entry, exchange: Exchange): void {
  const found = readString(exchange.body, 'status') ?? '';
  const { kind } = entry.tracked;
  if (!reachable(context.contract.machines[kind], entry.status).has(found)) {
    fail(context, 'body /status', `a status that ${entry.status} leads to`, found, exchange);
  }
  entry.status = found;
}

async function act(context: Context, entry: Entry): Promise<void> {
  await read(context, entry);
  const before = entry.tracked.actions.length;
  await context.fixtures.act(entry.tracked);
  const exchange = entry.tracked.actions.at(-1);
  if (!exchange || entry.tracked.actions.length === before) return;
  // A channel can decline or expire the payment in between.
  if (exchange.status === CONFLICT) return read(context, entry);
  if (!isSuccess(exchange.call.operation, exchange)) fail(context, 'status', '200', foundStatus(exchange), exchange);
  advance(context, entry, exchange);
}

async function actIllegally(context: Context, entry: Entry): Promise<void> {
  if (entry.tracked.kind !== 'payment') return;
  await read(context, entry);
  const seen = lastSeen(entry.tracked) ?? null;
  for (const [legal, { operation: id, field }] of actions()) {
    if (legal === entry.status || findAction(entry.status)?.operation === id) continue;
    // It may get there without a request before this one arrives.
    if (reachable(context.contract.machines.payment, entry.status).has(legal)) continue;
    const items = context.driver.items(['tid'], seen);
    const operation = context.contract.operation(id);
    const exchange = await context.send({
      operation,
      path: { transaction_id: entry.tracked.id },
      body: { [field]: items },
    });
    if (exchange.status < 400)
      fail(context, 'status', `${CONFLICT} in ${entry.status}`, foundStatus(exchange), exchange);
  }
  await read(context, entry);
}

async function repeat(context: Context, entry: Entry): Promise<void> {
  if (!context.settings.levels.includes('repeat-safety')) return;
  const exchange = await context.send(entry.tracked.call);
  const found = readString(exchange.body, 'transaction_id');
  if (found === entry.tracked.id) return;
  const clause = assumption(context.contract.bundle, 'order-id');
  const expected = `${entry.tracked.id}, as in the first response`;
  throw new WalkFailure({
    at: 'body /transaction_id',
    expected,
    found: found ?? foundStatus(exchange),
    clause,
    exchange,
  });
}

/**
 * Takes every transaction to its final status. Resolves with the gain of available and pending together, and rejects
 * with Unfunded if the payouts exceed the balance before the walk.
 */
export async function settle(context: Context, { transactions }: Model, available: number): Promise<number> {
  const payouts = transactions.filter(({ tracked }) => tracked.kind === 'payout');
  const paidOut = payouts.reduce((total, { amount }) => total + amount, 0);
  let gained = EMPTY;
  for (const entry of transactions) {
    const { tracked, goal } = entry;
    const { kind } = tracked;
    await context.fixtures.drive(tracked, goal).catch(async (error: unknown) => {
      if (!(error instanceof NotReached) || (error instanceof InsufficientFunds && paidOut > available)) throw error;
      // If no transaction gets there, the service can be slow, or the driver wrong; that rejects with NotReached too.
      await (kind === 'payment' ? context.fixtures.payment(goal as PaymentGoal) : context.fixtures.payout(goal));
      const exchange = tracked.reads.at(-1) ?? tracked.creation;
      fail(context, 'body /status', goal.until, readStatus(tracked), exchange);
    });
    const paid = kind === 'payment' ? readMember(lastSeen(tracked), 'amount_paid') : undefined;
    const amount = Number(paid ?? entry.amount);
    gained = balanceAfter(gained, listMovements({ kind, status: readStatus(tracked), amount }));
  }
  return gained.available + gained.pending;
}

function fail({ contract }: Context, at: string, expected: string, found: string, exchange: Exchange): never {
  const clause = assumption(contract.bundle, 'transitions');
  throw new WalkFailure({ at, expected, found, clause, exchange });
}
