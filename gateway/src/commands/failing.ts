/** The command `failing`: transactions that cannot proceed. */

import { failingTransactions } from '../store/books/failures.ts';
import type { Store } from '../store/engine/store.ts';
import { timestamp } from '../wire/view.ts';

const LISTED_MAX = 100;

/** Lists the transactions whose last step has failed, with the error and the time of the next attempt. */
export async function failingCommand(store: Store): Promise<string> {
  const failing = await failingTransactions(store.read, LISTED_MAX);
  const lines = failing.map(
    ({ id, merchantId, status, failures, error, nextAttemptAt }) =>
      `${merchantId}  ${id}  ${status}  failed ${failures} times, next attempt ${timestamp(nextAttemptAt)}  ${error}`,
  );
  return lines.join('\n') || 'no transaction is failing';
}
