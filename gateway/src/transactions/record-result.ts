/** Records definite results of channels that arrive after another writer has changed the transaction. */
import { openExceptions, takeResult } from '../domain/exceptions.ts';
import type { DefiniteResult, Transaction } from '../domain/transaction.ts';
import { type AdvanceServices, askAboutFinal } from './advance.ts';
import { type CommitServices, type Committed, commitStep } from './commit-step.ts';
import { anyTransactionById } from './rows.ts';
import { untilCommitted } from './until-committed.ts';

/** The channel contradicts how a transaction has ended. */
class ContradictingResult extends Error {
  override readonly name = 'ContradictingResult';
}

/**
 * Records a definite result: it ends the transaction, or is an exception if the transaction has ended otherwise. Returns
 * undefined if it says nothing new.
 */
export async function recordResult(
  services: CommitServices & Pick<AdvanceServices, 'methods'>,
  { id, kind, channel }: Pick<Transaction, 'id' | 'kind' | 'channel'>,
  result: DefiniteResult,
): Promise<Committed<Transaction> | undefined> {
  const { store, time, methods, report } = services;
  const recorded = await untilCommitted(async () => {
    const current = await anyTransactionById(store.read, kind, id);
    const step = current && takeResult(methods, current, result, time.at(current.merchantId).now);
    return step ? commitStep<Transaction>(services, step) : 'nothing new';
  });
  if (recorded === 'nothing new') return undefined;
  const { status, currency, ...written } = recorded.transaction;
  const exception = openExceptions(written).at(-1);
  if (exception) {
    const { result: said, amount } = exception;
    const error = new ContradictingResult(`${id} is ${status}, and its channel says ${said}, ${amount} ${currency}`);
    report(error, { job: 'exceptions', transaction_id: id, channel });
  }
  return recorded;
}

/** Asks the channel about a final transaction, and records a result that contradicts how it has ended. Rejects if the channel fails. */
export async function checkFinal(services: CommitServices & AdvanceServices, transaction: Transaction): Promise<void> {
  // A channel that was never called knows nothing of it.
  const result = transaction.calls?.length ? await askAboutFinal(transaction, services) : undefined;
  if (result) await recordResult(services, transaction, result);
}
