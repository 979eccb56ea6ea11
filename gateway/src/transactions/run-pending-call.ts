/** Moves transactions on, and calls channels where a step says so. */

import { withoutBegunCall } from '../domain/channel-calls.ts';
import type { Step, Transaction } from '../domain/transaction.ts';
import { type AdvanceServices, advance } from './advance.ts';
import { type CommitServices, type Committed, commitStep } from './commit-step.ts';
import { recordResult } from './record-result.ts';

/** Decides the next step of a transaction, see advance.ts. */
type Advance<T extends Transaction> = (transaction: T, around: AdvanceServices, first?: boolean) => Promise<Step<T>>;

/**
 * Calls the channel if the last step requested it, and commits the result. Returns undefined on a conflict with another
 * process.
 */
export async function runPendingCall<T extends Transaction>(
  services: CommitServices & AdvanceServices,
  { transaction, callUntil }: Committed<T>,
  decide: Advance<T>,
): Promise<T | undefined> {
  if (callUntil === undefined) return transaction;
  const called = await decide(withoutBegunCall(transaction), services, true);
  const next = await commitResult(services, called, callUntil);
  return next && runPendingCall(services, next, decide);
}

/** Makes the call with which a transaction was opened. */
export function callOpened(
  services: CommitServices & AdvanceServices,
  transaction: Transaction,
  callUntil: number,
): Promise<Transaction | undefined> {
  const { merchantId, createdAt } = transaction;
  const around = { ...services, time: services.time.asOf(merchantId, createdAt) };
  return runPendingCall(around, { transaction, callUntil }, advance);
}

/** Advances a transaction by one step. Returns undefined, with no changes, on a conflict. */
export async function advanceAndCommit(
  services: CommitServices & AdvanceServices,
  transaction: Transaction,
  claimedUntil?: number,
): Promise<Transaction | undefined> {
  const { merchantId, dueAt } = transaction;
  const around = { ...services, time: services.time.asOf(merchantId, dueAt) };
  const next = await commitResult(around, await advance(transaction, around), claimedUntil);
  return next && runPendingCall(around, next, advance);
}

/** Commits the step of a call. If another writer was faster, a definite result of the channel still counts. */
async function commitResult<T extends Transaction>(
  services: CommitServices & AdvanceServices,
  step: Step<T>,
  claimedUntil: number | undefined,
): Promise<Committed<T> | undefined> {
  const committed = await commitStep(services, step, { claimedUntil });
  if (committed || !step.result) return committed;
  return (await recordResult(services, step.transaction, step.result)) as Committed<T> | undefined;
}
