/** Moves transactions on: commits the next step, calls the channel where the step says so, and records its result. */

import { contradicts, openExceptions, takeResult } from '../domain/exceptions.ts';
import type { DefiniteResult, Step, Transaction } from '../domain/transaction.ts';
import { ProblemError } from '../http/problems.ts';
import { type CommitServices, type Committed, commitStep } from './commit-step.ts';
import { askAboutFinal, type DecisionServices, decideNextStep } from './next-step.ts';
import { transactionById } from './rows.ts';

type AdvanceServices = CommitServices & DecisionServices;

/** Other writers of a transaction are a worker and a second request: each is faster once or twice. */
const ATTEMPTS_MAX = 10;

/** The channel contradicts how a transaction has ended. */
class ContradictingResult extends Error {
  override readonly name = 'ContradictingResult';
}

/** Advances a transaction by one step. Returns undefined, with no changes, on a conflict. */
export async function advanceTransaction(
  services: AdvanceServices,
  transaction: Transaction,
  claimedUntil?: number,
): Promise<Transaction | undefined> {
  const { merchantId, dueAt } = transaction;
  const timed = { ...services, time: services.time.asOf(merchantId, dueAt) };
  const next = await commitResult(timed, await decideNextStep(transaction, timed), claimedUntil);
  return next && makePendingCall(timed, next);
}

/** Makes the call with which a transaction was opened. */
export function makeOpeningCall(
  services: AdvanceServices,
  transaction: Transaction,
  callUntil: number,
): Promise<Transaction | undefined> {
  const { merchantId, createdAt } = transaction;
  const timed = { ...services, time: services.time.asOf(merchantId, createdAt) };
  return makePendingCall(timed, { transaction, callUntil });
}

/**
 * Calls the channel if the last step requested it, and commits the result. Returns undefined on a conflict with another
 * process.
 */
export async function makePendingCall<T extends Transaction>(
  services: AdvanceServices,
  { transaction, callUntil }: Committed<T>,
): Promise<T | undefined> {
  if (callUntil === undefined) return transaction;
  const step = await decideNextStep(transaction, services, true);
  const next = await commitResult(services, step, callUntil);
  return next && makePendingCall(services, next);
}

/** Commits the step of a call. If another writer was faster, a definite result of the channel still counts. */
async function commitResult<T extends Transaction>(
  services: AdvanceServices,
  step: Step<T>,
  claimedUntil: number | undefined,
): Promise<Committed<T> | undefined> {
  const committed = await commitStep(services, step, { claimedUntil });
  if (committed || !step.result) return committed;
  return (await recordResult(services, step.transaction, step.result)) as Committed<T> | undefined;
}

/**
 * Records a definite result that arrives after another writer has changed the transaction: it ends the transaction, or
 * is an exception if the transaction has ended otherwise. Returns undefined if it adds no information.
 */
async function recordResult(
  services: CommitServices & Pick<DecisionServices, 'methods'>,
  { id, channel }: Pick<Transaction, 'id' | 'channel'>,
  result: DefiniteResult,
): Promise<Committed<Transaction> | undefined> {
  const { store, time, methods, report } = services;
  const recorded = await retryOnConflict(async () => {
    const current = await transactionById(store.read, id);
    const step = current && takeResult(methods, current, result, time.at(current.merchantId).now);
    return step ? commitStep<Transaction>(services, step) : { unchanged: current };
  });
  const log = ({ status }: Transaction, claim: string) =>
    report(new ContradictingResult(`${id} is ${status}, and its channel says ${claim}`), {
      ...{ job: 'exceptions', transaction_id: id, channel },
    });
  if ('unchanged' in recorded) {
    const { unchanged } = recorded;
    // It has as many exceptions as it can hold.
    if (unchanged && contradicts(unchanged, result.event)) log(unchanged, `${result.event.type}, which is not stored`);
    return undefined;
  }
  const { transaction } = recorded;
  const exception = openExceptions(transaction).at(-1);
  if (exception) log(transaction, `${exception.result}, ${exception.amount} ${transaction.currency}`);
  return recorded;
}

/** Asks the channel about a final transaction, and records a result that contradicts how it has ended. Rejects if the channel fails. */
export async function checkFinal(services: AdvanceServices, transaction: Transaction): Promise<void> {
  // A channel that was never called doesn't know the transaction.
  const result = transaction.calls?.length ? await askAboutFinal(transaction, services) : undefined;
  if (result) await recordResult(services, transaction, result);
}

/** Repeats an action that reads a transaction and commits a step until it returns a result, which means that no other writer was faster. */
export async function retryOnConflict<T>(act: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const committed = await act();
    if (committed !== undefined) return committed;
  }
  throw new ProblemError('unavailable', 'The transaction was changed by others at every attempt. Send it again.');
}
