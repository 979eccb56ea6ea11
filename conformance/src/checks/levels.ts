/** Levels of operations, and the goals and transactions of the claimed levels. */
import type { Operation } from '../../../contract/src/model.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import type { Context } from '../core/check.ts';
import { ifReached } from '../core/finding.ts';
import type { Level, Settings } from '../core/settings.ts';
import { lastSeen } from '../core/transactions.ts';
import { type Driver, type Goal, goalBody, type PaymentGoal } from '../drivers/driver.ts';
import { type Journal, readString } from '../service/exchange.ts';

export const KIND_LEVELS: Readonly<Record<TransactionKind, readonly Level[]>> = {
  payment: ['payments-h2h', 'payments-redirect'],
  payout: ['payouts'],
};

/** The kind of transaction that the operation is about. Lookups by query and the balance count as payments. */
export function operationKind({ path }: Operation): TransactionKind {
  return path.startsWith('/payouts') ? 'payout' : 'payment';
}

/** The levels of an operation. A service that claims none of them may lack it. Empty if every service has it. */
export function listLevels(operation: Operation): readonly Level[] {
  const { id, path } = operation;
  if (operationKind(operation) === 'payout') return KIND_LEVELS.payout;
  if (id === 'clarifyPayment' || id === 'confirmPayment') return ['payments-h2h'];
  return path.startsWith('/payments') ? KIND_LEVELS.payment : [];
}

/** A claimed flow, for checks that work with either. */
export function claimedFlow({ levels }: Settings): PaymentGoal['flow'] {
  return levels.includes('payments-redirect') && !levels.includes('payments-h2h') ? 'redirect' : 'h2h';
}

export function listFlows({ levels }: Settings): PaymentGoal['flow'][] {
  return (['h2h', 'redirect'] as const).filter((flow) => levels.includes(`payments-${flow}`));
}

/** A payment that waits for its customer, so no money moves. */
export function waitingGoal(settings: Settings): PaymentGoal {
  return createWaitingGoal(claimedFlow(settings));
}

export function createWaitingGoal(flow: PaymentGoal['flow']): PaymentGoal {
  return { flow, until: flow === 'h2h' ? 'PAY_CONFIRMATION_NEEDED' : 'CREATED' };
}

/** A payout that moves no money. */
export const DECLINED_PAYOUT = { until: 'FAILED' } as const;

/** A transaction that moves no money: a payment that waits for its customer, or a declined payout. */
export function unpaidGoal(kind: TransactionKind, settings: Settings): Goal {
  return kind === 'payment' ? waitingGoal(settings) : DECLINED_PAYOUT;
}

/** A transaction in the status, by a claimed flow. */
export function createGoal(kind: TransactionKind, settings: Settings, until: string): Goal {
  return kind === 'payment' ? { flow: claimedFlow(settings), until } : { until };
}

/** The wallet of the driver's transaction with the goal; undefined if it has none. */
export function readGoalCurrency(goal: Goal): (driver: Driver) => string | undefined {
  return (driver) => readString(goalBody(driver, goal), 'currency');
}

const reached = new WeakMap<Journal, Map<TransactionKind, Promise<void>>>();

/**
 * Takes a transaction to each state, once in a run, and reads final ones again. Skips unreachable states. In a full run,
 * the transactions exist already.
 */
export function reachEachState(context: Context, kind: TransactionKind): Promise<void> {
  const kinds = reached.get(context.journal) ?? new Map<TransactionKind, Promise<void>>();
  reached.set(context.journal, kinds);
  const reaching = kinds.get(kind) ?? reachStates(context, kind);
  kinds.set(kind, reaching);
  return reaching;
}

async function reachStates(context: Context, kind: TransactionKind): Promise<void> {
  const { contract, fixtures, settings } = context;
  const flow = claimedFlow(settings);
  const all = Object.entries(contract.machines[kind].states);
  const states = all.filter(([, { flows }]) => flows?.includes(flow) ?? true);
  await Promise.all(
    states.map(async ([until, { final }]) => {
      const tracked = await ifReached(() => fixtures.reach(createGoal(kind, settings, until)));
      if (tracked && final) await fixtures.read(tracked);
    }),
  );
}

/** Waits until the events of the transactions have arrived, or the time is up. */
export async function awaitEvents(context: Context, kind: TransactionKind): Promise<void> {
  const { contract, fixtures, settings } = context;
  const finals = Object.entries(contract.machines[kind].states).filter(([, { final }]) => final);
  await Promise.all(
    finals.map(async ([until]) => {
      const tracked = await ifReached(() => fixtures.reach(createGoal(kind, settings, until)));
      const status = readString(tracked && lastSeen(tracked), 'status');
      if (tracked && status !== undefined) await fixtures.timeouts.webhook(tracked, status);
    }),
  );
}
