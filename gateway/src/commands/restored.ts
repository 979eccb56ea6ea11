/** The command `restored`, which is part of restoring a backup. */

import type { Store } from '../database/store.ts';
import { recordRestore } from '../management/restores.ts';
import type { Author } from './command-services.ts';

/** Pauses payouts until operators resume them, or records that nothing is missing. */
export async function restoredCommand(
  store: Store,
  { isComplete }: { readonly isComplete: boolean },
  { operator: by, record, clock }: Author,
): Promise<string> {
  const location = await store.location?.();
  await store.unit(async (db) => {
    await recordRestore(db, { location, isComplete, by, at: clock.now() });
    await record(db, { subject: isComplete ? 'complete' : 'payouts paused' });
  });
  if (isComplete) return 'nothing is missing, and payouts are not paused';
  return `payouts are paused
1. Start the gateways.
2. Compare the database with the statement of each channel: payments-gateway reconcile CHANNEL STATEMENT
3. Import what is unknown here, and resume: payments-gateway payout resume --reason 'REASON'`;
}
