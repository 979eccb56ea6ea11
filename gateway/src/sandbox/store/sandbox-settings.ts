/** Settings of merchants in their sandboxes, as JSON. */
import type { Database } from '../../database/store.ts';
import type { SandboxSettings } from '../settings.ts';

/** The settings of all merchants that have some. */
export async function allSettings(db: Database): Promise<[merchantId: number, settings: SandboxSettings][]> {
  const rows = await db.all('select merchant_id, settings from sandbox_settings');
  return rows.map((row) => [Number(row['merchant_id']), JSON.parse(String(row['settings']))]);
}

/** The settings of a merchant; undefined if they were never set. */
export async function readSettings(db: Database, merchantId: number): Promise<SandboxSettings | undefined> {
  const row = await db.get('select settings from sandbox_settings where merchant_id = ?', merchantId);
  return row && (JSON.parse(String(row['settings'])) as SandboxSettings);
}

export async function writeSettings(db: Database, merchantId: number, settings: SandboxSettings): Promise<void> {
  await db.run(
    `insert into sandbox_settings (merchant_id, settings) values (?, ?)
     on conflict (merchant_id) do update set settings = excluded.settings`,
    ...[merchantId, JSON.stringify(settings)],
  );
}

export async function deleteSettings(db: Database, merchantId: number): Promise<void> {
  await db.run('delete from sandbox_settings where merchant_id = ?', merchantId);
}
