/** The command `failing`: transactions that need attention. */

import type { Store } from '../database/store.ts';
import { type ContradictedTransaction, contradictedTransactions } from '../transactions/exception-rows.ts';
import { failingTransactions } from '../transactions/failures.ts';
import { timestamp } from '../transactions/view.ts';

const LISTED_MAX = 100;

/**
 * Lists the transactions whose last step has failed, with the error and the time of the next attempt, and those whose channel
 * contradicts how they have ended.
 */
export async function failingCommand(store: Store): Promise<string> {
  const failing = await failingTransactions(store.read, LISTED_MAX);
  const lines = failing.map(
    ({ id, merchantId, status, failures, error, nextAttemptAt }) =>
      `${merchantId}  ${id}  ${status}  failed ${failures} times, next attempt ${timestamp(nextAttemptAt)}  ${error}`,
  );
  const exceptional = await contradictedTransactions(store.read, { limit: LISTED_MAX });
  return [...lines, ...exceptional.map(describeException)].join('\n') || 'no transaction is failing';
}

function describeException({ transaction, since = 0, claimed, booked }: ContradictedTransaction): string {
  const { merchantId, id, status, currency } = transaction;
  const said = `the channel says ${claimed} ${currency}, the books have ${booked}`;
  return `${merchantId}  ${id}  ${status}  exception since ${timestamp(since)}  ${said}`;
}
