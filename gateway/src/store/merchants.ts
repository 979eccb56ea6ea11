/** Merchants. Their API keys and signing secrets are in files of their own. */
import type { Database } from './store.ts';

export interface Merchant {
  readonly id: number;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Adds a merchant; its number is the next free one. */
export async function createMerchant(db: Database, name: string, now: number): Promise<Merchant> {
  for (;;) {
    const row = await db.get('select coalesce(max(id), 10000) + 1 as id from merchants');
    const id = Number(row?.['id']);
    const added = await db.run(
      'insert into merchants (id, name, created_at) values (?, ?, ?) on conflict (id) do nothing',
      id,
      name,
      now,
    );
    // Another unit may have taken the number meanwhile.
    if (added === 1) return { id, name, createdAt: now };
  }
}

export async function merchantById(db: Database, id: number): Promise<Merchant | undefined> {
  const row = await db.get('select id, name, created_at from merchants where id = ? and deleted_at is null', id);
  return row && { id: Number(row['id']), name: String(row['name']), createdAt: Number(row['created_at']) };
}

/** Every merchant that isn't deleted, by number. `disabledAt` is milliseconds since 1970. */
export async function allMerchants(db: Database): Promise<(Merchant & { disabledAt: number | undefined })[]> {
  const rows = await db.all(
    'select id, name, created_at, disabled_at from merchants where deleted_at is null order by id',
  );
  return rows.map((row) => ({
    id: Number(row['id']),
    name: String(row['name']),
    createdAt: Number(row['created_at']),
    disabledAt: row['disabled_at'] === null ? undefined : Number(row['disabled_at']),
  }));
}

/**
 * Refuses all API keys of a merchant from now on. Transactions and webhooks that have begun continue. Returns false if the
 * merchant is disabled already.
 */
export async function disableMerchant(db: Database, id: number, now: number): Promise<boolean> {
  return (await db.run('update merchants set disabled_at = ? where id = ? and disabled_at is null', now, id)) === 1;
}

/** Accepts the merchant's API keys again. Returns false if the merchant isn't disabled. */
export async function enableMerchant(db: Database, id: number): Promise<boolean> {
  return (await db.run('update merchants set disabled_at = null where id = ? and disabled_at is not null', id)) === 1;
}
