/** Rules that affect a webhook. They are selected once, before its first attempt, and deleted together with the webhook. */
import type { Database } from '../../database/store.ts';

/** Ids of the rules selected for a delivery, or undefined before the selection. */
export async function selectedFaults(db: Database, deliveryId: string): Promise<readonly string[] | undefined> {
  const row = await db.get('select rules from webhook_fault_selections where event_id = ?', deliveryId);
  return row && String(row['rules']).split(' ');
}

/** Selects rules for a delivery. Returns false if they were selected already, or the delivery is gone. */
export async function selectFaults(db: Database, deliveryId: string, rules: readonly string[]): Promise<boolean> {
  const selected = await db.run(
    `insert into webhook_fault_selections (event_id, rules) select id, cast(? as text) from events where id = ?
     on conflict (event_id) do nothing`,
    rules.join(' '),
    deliveryId,
  );
  return selected === 1;
}
