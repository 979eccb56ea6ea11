/** The row with the lease of a sandbox on its database. */
import type { Database } from '../../database/store.ts';

/** Takes or renews the lease until `expiresAt`. Returns false if another holder has it and it hasn't expired. */
export async function takeLease(db: Database, holder: string, expiresAt: number, now: number): Promise<boolean> {
  const row = await db.get(
    `insert into sandbox_lease (id, holder, expires_at) values (1, ?, ?)
     on conflict (id) do update set holder = excluded.holder, expires_at = excluded.expires_at
     where sandbox_lease.holder = excluded.holder or sandbox_lease.expires_at <= ? returning holder`,
    ...[holder, expiresAt, now],
  );
  return row !== undefined;
}

/** Whether no other holder has taken the lease. */
export async function holdsLease(db: Database, holder: string): Promise<boolean> {
  return (await db.get('select 1 as one from sandbox_lease where holder = ?', holder)) !== undefined;
}

/** Ends the lease, so that another process can take it at once. */
export async function endLease(db: Database, holder: string): Promise<void> {
  await db.run('delete from sandbox_lease where holder = ?', holder);
}
