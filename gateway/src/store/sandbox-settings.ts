/** What merchants have set in their sandboxes, as JSON. */
import type { Database, Row } from './store.ts';

export interface StoredSettings {
  readonly merchantId: number;
  /** JSON. */
  readonly settings: string;
  /** Increases with each change of any merchant. Two changes at once can have the same number. */
  readonly changed: number;
}

/** The settings that have changed since a change, that change included. */
export async function settingsSince(db: Database, changed: number): Promise<StoredSettings[]> {
  const rows = await db.all(
    'select merchant_id, settings, changed from sandbox_settings where changed >= ? order by changed',
    changed,
  );
  return rows.map(parse);
}

/** The settings of a merchant, which nobody else changes until the unit of work ends. */
export async function lockSettings(db: Database, merchantId: number): Promise<StoredSettings | undefined> {
  // The merchant's row is there before its first settings are.
  await db.get('select id from merchants where id = ? for update', merchantId);
  const row = await db.get(
    'select merchant_id, settings, changed from sandbox_settings where merchant_id = ?',
    merchantId,
  );
  return row && parse(row);
}

/** Writes the settings of a merchant. Returns them as they are stored. */
export async function writeSettings(db: Database, merchantId: number, settings: string): Promise<StoredSettings> {
  const row = await db.get(
    `insert into sandbox_settings (merchant_id, settings, changed)
     values (?, ?, (select coalesce(max(changed), 0) + 1 from sandbox_settings))
     on conflict (merchant_id) do update set settings = excluded.settings, changed = excluded.changed
     returning merchant_id, settings, changed`,
    merchantId,
    settings,
  );
  if (!row) throw new Error(`the settings of merchant ${merchantId} were not written`);
  return parse(row);
}

function parse(row: Row): StoredSettings {
  return {
    merchantId: Number(row['merchant_id']),
    settings: String(row['settings']),
    changed: Number(row['changed']),
  };
}
