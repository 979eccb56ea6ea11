/** Addresses whose last response was late, so that every process knows that they hang. */

import type { Database } from '../database/store.ts';
import type { MerchantAddress } from './address-limits.ts';

/** An address counts as unknown after this time. Longer than an event's retries, which take three days. */
export const HANGS_FOR_MS = 7 * 24 * 60 * 60_000;

/** Records which addresses hang and which have recovered. */
export async function recordHanging(
  db: Database,
  addresses: readonly (MerchantAddress & { readonly hangs: boolean })[],
  now: number,
): Promise<void> {
  // A consistent order prevents deadlocks between processes.
  const sorted = addresses.toSorted((a, b) => a.merchantId - b.merchantId || (a.address < b.address ? -1 : 1));
  for (const { merchantId, address, hangs } of sorted) {
    if (!hangs)
      await db.run('delete from hanging_addresses where merchant_id = ? and address = ?', merchantId, address);
    else
      await db.run(
        `insert into hanging_addresses (merchant_id, address, hung_at) values (?, ?, ?)
         on conflict (merchant_id, address) do update set hung_at = excluded.hung_at`,
        merchantId,
        address,
        now,
      );
  }
}

/** Deletes up to `limit` addresses that count as unknown again. Returns their number. */
export function deleteOldHanging(db: Database, now: number, limit: number): Promise<number> {
  return db.run(
    `delete from hanging_addresses where (merchant_id, address) in
       (select merchant_id, address from hanging_addresses where hung_at <= ? order by hung_at limit ${limit}
        for update skip locked)`,
    now - HANGS_FOR_MS,
  );
}
