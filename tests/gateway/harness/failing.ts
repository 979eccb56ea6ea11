/** The failing transactions, as the command `failing` prints them. */
import { managementOnDatabase } from '../../../gateway/src/commands/call-management.ts';
import { readFailing } from '../../../gateway/src/commands/management-commands.ts';
import { describeFailingTransactions } from '../../../gateway/src/commands/views.ts';
import { readConfig } from '../../../gateway/src/config/read-config.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { systemClock } from '../../../gateway/src/platform/clock.ts';

export async function listFailing(store: Store): Promise<string> {
  const manage = managementOnDatabase({ store, clock: systemClock, config: readConfig({}, {}) });
  return describeFailingTransactions(await readFailing(manage));
}
