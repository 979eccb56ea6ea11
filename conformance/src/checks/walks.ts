/**
 * Random walks: seeded sequences of requests, checked step by step against a model of the state machines and the
 * wallet. A failing walk is shrunk to the shortest failing sequence.
 */
import fc from 'fast-check';
import { type JsonObject, readMember } from '../../../contract/src/model.ts';
import { toPointer } from '../../../contract/src/pointer.ts';
import {
  balanceAfter,
  EMPTY,
  listMovements,
  reachable,
  type TransactionKind,
} from '../../../contract/src/reference-model.ts';
import type { Check, Context } from '../core/check.ts';
import { type Finding, NotReached } from '../core/finding.ts';
import { foundStatus } from '../core/judge.ts';
import {
  actions,
  findAction,
  InsufficientFunds,
  isSuccess,
  lastSeen,
  readStatus,
  type TrackedTransaction,
} from '../core/transactions.ts';
import { type ShownWallet, steadyWallet, walletOnceTotalIs } from '../core/wallet.ts';
import type { Contract } from '../document/contract.ts';
import type { Goal, PaymentGoal } from '../drivers/driver.ts';
import { type Exchange, readString } from '../service/exchange.ts';
import { readGoalCurrency } from './levels.ts';

const COLLECTED = { flow: 'h2h', until: 'SUCCESS' } as const;
const STEPS_MAX = 12;
const WALK = 'walk/transactions-and-wallet';
/** Shrinking repeats the walk, so it has to end. */
const SHRINK_MS_MAX = 8_000;

export function walkChecks(contract: Contract): Check[] {
  return [
    {
      id: WALK,
      title: 'Random sequences of requests follow the state machines, and the wallet follows the payments',
      clause: contract.clause(toPointer('x-state-machines', 'payment', 'transitions', 0)),
      ...{ phase: 'walks', levels: [], partOf: ['payments-h2h'], walletOf: readGoalCurrency(COLLECTED) },
      run: walk,
    },
  ];
}

async function walk(context: Context): Promise<Finding[]> {
  const { settings, driver } = context;
  if (settings.walks === 0) throw new NotReached('no walks are wanted', 'set --walks');
  const { currency: given } = context.fixtures.bodyFor(COLLECTED);
  const currency = String(given);
  const payout = driver.payout({ until: 'SUCCESS' });
  // Without funds, payouts would be declined for that.
  const withPayouts =
    settings.levels.includes('payouts') &&
    payout?.['currency'] === currency &&
    (await context.fixtures.funded(currency, Number(payout['amount'])));
  // The wallet after a walk is the one before the next.
  let last: ShownWallet | undefined;
  // Shrinking an unfinished walk is pointless.
  let unfinished: unknown;
  let ended = 0;
  const walkFromLast = async (steps: Iterable<fc.AsyncCommand<Model, Real>>) => {
    if (unfinished) throw unfinished;
    const before = last ?? (await steadyWallet(context, currency));
    last = undefined;
    last = await walkOnce(context, currency, before, steps).catch((error: unknown) => {
      if (!(error instanceof WalkFailure)) unfinished = error;
      throw error;
    });
    ended += 1;
  };
  const commands = fc.commands(createCommands(context, withPayouts), { maxCommands: STEPS_MAX });
  const { details, late } = await checkToEnd(commands, walkFromLast, {
    ...{ numRuns: settings.walks, seed: settings.seed, interruptAfterTimeLimit: limitMs(settings.walks) },
    markInterruptAsFailure: false,
  });
  const { counterexample, errorInstance, counterexamplePath } = details;
  const failure = errorInstance ?? late?.error;
  if (!(failure instanceof WalkFailure)) {
    if (errorInstance) throw errorInstance;
    // The last walk may have run out of time. Its predecessors still count.
    if (ended === 0)
      throw late?.error ?? new NotReached('no walk ended in time', 'raise --walks, which gives it more time');
    return [];
  }
  const steps = String(counterexample?.[0] ?? late?.value ?? '').replace(/\s*\/\*replayPath=.*\*\//, '');
  const replay = `--seed ${settings.seed}${counterexamplePath ? ` (path ${counterexamplePath})` : ''}`;
  const { finding } = failure;
  return [{ ...finding, found: `${finding.found}, after ${steps}; again with ${replay}`, steps: failure.requests }];
}

/**
 * Checks a property. Waits for the run interrupted by the time limit, which still moves money, and returns its error as
 * `late`, since fast-check omits it.
 */
export async function checkToEnd<T>(
  values: fc.Arbitrary<T>,
  run: (value: T) => Promise<void>,
  limits: fc.Parameters<[T]>,
): Promise<{ details: fc.RunDetails<[T]>; late?: { error: unknown; value: T } }> {
  let running = async (): Promise<{ error: unknown; value: T } | undefined> => undefined;
  const property = fc.asyncProperty(values, (value) => {
    const ended = run(value);
    running = () =>
      ended.then(
        () => undefined,
        (error: unknown) => ({ error, value }),
      );
    return ended;
  });
  const details = await fc.check(property, limits);
  const late = await running();
  return { details, ...(late && !details.errorInstance && { late }) };
}

function limitMs(walks: number): number {
  return SHRINK_MS_MAX + walks * 2_000;
}

async function walkOnce(
  context: Context,
  currency: string,
  before: ShownWallet,
  steps: Iterable<fc.AsyncCommand<Model, Real>>,
): Promise<ShownWallet> {
  const model: Model = { transactions: [] };
  const { exchanges } = context.journal;
  const first = exchanges.length;
  try {
    await fc.asyncModelRun(() => ({ model, real: context }), steps);
    const moved = await settle(context, model, before.available);
    const expected = before.total + moved;
    const after = await walletOnceTotalIs(context, currency, expected);
    if (after.total === expected) return after;
    throw new WalkFailure({
      at: 'body /balances',
      expected: `available and pending together ${expected}, ${before.total} before the walk`,
      found: String(after.total),
      binds: after.total > expected,
      clause: context.contract.assumption('pending'),
      exchange: after.exchange,
    });
  } catch (error) {
    // Reads while it waits are not part of the walk.
    const isStep = ({ check, method }: Exchange) => check === WALK && method !== 'GET';
    if (error instanceof WalkFailure) error.requests = exchanges.slice(first).filter(isStep);
    throw error;
  }
}

export type Real = Context;

export interface Model {
  readonly transactions: {
    readonly tracked: TrackedTransaction;
    status: string;
    readonly amount: number;
    /** The status in which it ends. */
    readonly goal: Goal;
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
  if (exchange.status === 409) return read(context, entry);
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
    const path = { transaction_id: entry.tracked.id };
    const exchange = await context.send({ operation, path, body: { [field]: items } });
    if (exchange.status < 400) fail(context, 'status', `409 in ${entry.status}`, foundStatus(exchange), exchange);
  }
  await read(context, entry);
}

async function repeat(context: Context, entry: Entry): Promise<void> {
  if (!context.settings.levels.includes('repeat-safety')) return;
  const exchange = await context.send(entry.tracked.call);
  const found = readString(exchange.body, 'transaction_id');
  if (found === entry.tracked.id) return;
  const expected = `${entry.tracked.id}, as in the first response`;
  fail(context, 'body /transaction_id', expected, found ?? foundStatus(exchange), exchange, 'order-id');
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
      await context.fixtures.reach(goal);
      const exchange = tracked.reads.at(-1) ?? tracked.creation;
      fail(context, 'body /status', goal.until, readStatus(tracked), exchange);
    });
    const paid = kind === 'payment' ? readMember(lastSeen(tracked), 'amount_paid') : undefined;
    const amount = Number(paid ?? entry.amount);
    gained = balanceAfter(gained, listMovements({ kind, status: readStatus(tracked), amount }));
  }
  return gained.available + gained.pending;
}

function fail(
  { contract }: Context,
  at: string,
  expected: string,
  found: string,
  exchange: Exchange,
  rests = 'transitions',
): never {
  throw new WalkFailure({ at, expected, found, clause: contract.assumption(rests), exchange });
}
