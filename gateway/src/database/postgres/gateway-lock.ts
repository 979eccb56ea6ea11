/**
 * The lock that reveals to a command whether a gateway is connected. Doesn't import the driver, which not every start
 * needs.
 */
import type { Database } from '../store.ts';

/** Each session of a gateway shares this lock on the schema, so that a command can find out whether a gateway is connected. */
export const GATEWAY_LOCK = "hashtext('payments-gateway'), hashtext(current_schema())";

/** Keeps gateways from connecting until the unit of work ends. Returns false if one is connected. A pooler in transaction mode hides them. */
export async function lockOutGateways(db: Database): Promise<boolean> {
  return (await db.get(`select 1 as one where pg_try_advisory_xact_lock(${GATEWAY_LOCK})`)) !== undefined;
}
