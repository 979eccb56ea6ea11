/** Settings of merchants in their sandboxes, as JSON. */
import type { Database, Row } from '../../database/store.ts';

export interface StoredSettings {
  readonly merchantId: number;
  /** JSON. */
  readonly settings: string;
  /** Increases with each change of any merchant. Changes are committed in the order of their numbers. */
  readonly changed: number;
}

/** A committed change. */
export interface SettingsChange extends StoredSettings {
  /** Whether the merchant is deleted. */
  readonly deleted: boolean;
}

/**
 * Merchants with settings changed after a change number, with their current settings. Number 0 precedes all changes.
 */
export async function changesAfter(db: Database, changed: number): Promise<SettingsChange[]> {
  const rows = await db.all(
    `select s.merchant_id, s.settings, s.changed, case when m.deleted_at is null then 0 else 1 end as deleted
     from sandbox_settings s join merchants m on m.id = s.merchant_id
     where s.changed > ? order by s.changed`,
    changed,
  );
  return rows.map((row) => ({ ...parse(row), deleted: row['deleted'] === 1 }));
}

/** Locks and returns a merchant's settings until the unit of work ends. */
export async function lockSettings(db: Database, merchantId: number): Promise<StoredSettings | undefined> {
  // The merchant's row is there before its first settings are.
  await db.get('select id from merchants where id = ? for update', merchantId);
  const row = await db.get(
    'select merchant_id, settings, changed from sandbox_settings where merchant_id = ?',
    merchantId,
  );
  return row && parse(row);
}

/** The settings of a merchant, which `lockSettings` of another unit of work can't change until this one ends. */
export async function settingsIn(db: Pick<Database, 'get'>, merchantId: number): Promise<StoredSettings | undefined> {
  // Two statements, sent at once: the second sees what was committed while the first waited.
  const [, row] = await Promise.all([
    db.get('select id from merchants where id = ? for key share', merchantId),
    db.get('select merchant_id, settings, changed from sandbox_settings where merchant_id = ?', merchantId),
  ]);
  return row && parse(row);
}

/**
 * Writes the settings of a merchant, which must be locked. Returns them as they are stored. Other changes wait until the unit
 * of work ends, so it is the last that a unit does.
 */
export async function writeSettings(db: Database, merchantId: number, settings: string): Promise<StoredSettings> {
  const change = await db.get(
    `insert into sandbox_changes (id, last) values (1, 1)
     on conflict (id) do update set last = sandbox_changes.last + 1 returning last`,
  );
  const changed = Number(change?.['last']);
  await db.run(
    `insert into sandbox_settings (merchant_id, settings, changed) values (?, ?, ?)
     on conflict (merchant_id) do update set settings = excluded.settings, changed = excluded.changed`,
    merchantId,
    settings,
    changed,
  );
  return { merchantId, settings, changed };
}

function parse(row: Row): StoredSettings {
  return {
    merchantId: Number(row['merchant_id']),
    settings: String(row['settings']),
    changed: Number(row['changed']),
  };
}
