/** Transactions for the rules over the whole run. In a full run they are there already; a rule alone makes its own. */
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import type { Context } from '../core/check.ts';
import { ifReached } from '../core/finding.ts';
import { lastSeen } from '../core/tracked.ts';
import { readString } from '../service/exchange.ts';
import type { Journal } from '../service/journal.ts';
import { claimedFlow, createGoal } from './levels.ts';

const reached = new WeakMap<Journal, Map<TransactionKind, Promise<void>>>();

/**
 * Takes a transaction to each state, once in a run, and reads final ones again. Skips unreachable states.
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
