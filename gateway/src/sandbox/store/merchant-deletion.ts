/**
 * Deletes a sandbox merchant's data in small units of work, transaction by transaction. The last unit empties the
 * wallets along with any new rows, so that the ledger stays balanced.
 */
import { placeholders } from '../../database/batches.ts';
import type { Database, Value } from '../../database/store.ts';

/** Transactions deleted per unit of work, with all their rows. */
const BATCH_SIZE = 64;

/** Rows of a merchant that belong to no transaction, in an order in which they can be deleted. */
const OF_MERCHANT = ['stopped_urls', 'hanging_addresses', 'customer_usage', 'sandbox_requests', 'proposals'];
const ACCESS = ['api_keys', 'signing_secrets'];

/** Deletes some transactions of the merchant with their events and ledger entries. Returns false when none was left. */
export async function deleteBatch(db: Database, merchantId: number): Promise<boolean> {
  const rows = await db.all(
    `select id from transactions where merchant_id = ? order by kind, order_id limit ${BATCH_SIZE} for update`,
    merchantId,
  );
  if (rows.length === 0) return false;
  const ids: Value[] = rows.map(({ id }) => String(id));
  while (ids.length < BATCH_SIZE) ids.push(null);
  const within = `in (${placeholders(ids)})`;
  await db.run(
    `delete from stopped_urls where event_id in (select id from events where transaction_id ${within})`,
    ...ids,
  );
  await db.run(`delete from events where transaction_id ${within}`, ...ids);
  await db.run(`delete from ledger_entries where transaction_id ${within}`, ...ids);
  await db.run(`delete from transactions where id ${within}`, ...ids);
  return true;
}

/** Deletes what is left, and empties the wallets. */
export async function deleteRest(db: Database, merchantId: number): Promise<void> {
  while (await deleteBatch(db, merchantId));
  // A step that posts an entry locks its wallet first.
  await db.all('select currency from wallets where merchant_id = ? order by currency for update', merchantId);
  while (await deleteBatch(db, merchantId));
  await db.run('delete from ledger_entries where transaction_id is null and merchant_id = ?', merchantId);
  await db.run('update wallets set available = 0, pending = 0, reserved = 0 where merchant_id = ?', merchantId);
  for (const table of OF_MERCHANT) await db.run(`delete from ${table} where merchant_id = ?`, merchantId);
}

/** Deletes the merchant after its data. Its row stays, so that its number is never reused. */
export async function deleteMerchantRow(db: Database, merchantId: number, now: number): Promise<void> {
  for (const table of [...ACCESS, 'wallets']) await db.run(`delete from ${table} where merchant_id = ?`, merchantId);
  await db.run("update merchants set name = '', deleted_at = ? where id = ?", now, merchantId);
}
