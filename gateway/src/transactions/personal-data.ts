/** The keys of personal data: which of them a database needs, and their rotation. */
import { integer, optional, text } from '../database/row-mapper.ts';
import type { Database, Row } from '../database/store.ts';
import { type Reencryption, UnusableSecrets } from '../merchants/signing-secrets.ts';
import { UndecryptableSecret } from '../platform/key-ring.ts';
import { formatDetails, formatState, isEncrypted, parseTransaction, withoutPersonalData } from './rows.ts';
import { rewriteSearchKeys } from './search-keys.ts';

/** Recorded instead of a key for data in the clear. */
const IN_CLEAR = 'none';

/**
 * Records that the current key encrypts personal data from now on. Throws UnusableSecrets if another recorded key is
 * missing. Returns whether the database has data in the clear although there is a key.
 */
export async function recordPersonalKey(db: Database): Promise<boolean> {
  const { ids } = db.keys;
  const row = await db.get('select key_ids from database_mode where id = 1 for update');
  const known = optional('key_ids', String)(row)?.split(' ') ?? [];
  const missing = known.filter((id) => id !== IN_CLEAR && !ids.includes(id));
  if (missing.length > 0) {
    throw new UnusableSecrets(missing.map((id) => `key ${id}, which has encrypted personal data, is missing`));
  }
  const [current = IN_CLEAR] = ids;
  if (!known.includes(current)) await writeKeyIds(db, [...known, current]);
  return ids.length > 0 && known.includes(IN_CLEAR);
}

/** Records that all personal data is encrypted with the current key. */
export async function recordOnlyKey(db: Database): Promise<void> {
  const [current = IN_CLEAR] = db.keys.ids;
  await writeKeyIds(db, [current]);
}

async function writeKeyIds(db: Database, ids: readonly string[]): Promise<void> {
  await db.run('update database_mode set key_ids = ? where id = 1', ids.join(' '));
}

interface ReencryptionOptions {
  /** Transactions to look at. */
  readonly limit: number;
  /** The id of the last transaction of the previous part. */
  readonly after?: string | undefined;
  /** Deletes data that can't be decrypted. */
  readonly force: boolean;
}

/** Encrypts the personal data of some transactions with the current key, and rewrites their search keys. */
export async function reencryptPersonalData(
  db: Database,
  { limit, after = '', force }: ReencryptionOptions,
): Promise<Reencryption> {
  const rows = await db.all(
    `select id, version, details, state, amount_paid from transactions where id > ? order by id limit ${limit}`,
    after,
  );
  const failures: string[] = [];
  let [encrypted, deleted, last] = [0, 0, after];
  for (const row of rows) {
    const id = text('id')(row);
    if (!isEncrypted(row, db.keys)) {
      try {
        const done = await reencryptRow(db, row, force);
        // A step was faster. The next part begins with this transaction.
        if (done === undefined) return { encrypted, deleted, failures, last };
        encrypted += 1;
        if (done === 'deleted') deleted += 1;
      } catch (error) {
        if (!(error instanceof UndecryptableSecret)) throw error;
        failures.push(error.message);
      }
    }
    last = id;
  }
  return { encrypted, deleted, failures, last: rows.length === limit ? last : undefined };
}

/** Returns undefined, with no changes, if another version was written since. */
async function reencryptRow(db: Database, row: Row, force: boolean): Promise<'encrypted' | 'deleted' | undefined> {
  const { transaction, done } = parseStored(db, row, force);
  const changed = await db.run(
    'update transactions set details = ?, state = ? where id = ? and version = ?',
    ...[formatDetails(transaction, db.keys), formatState(transaction, db.keys)],
    ...[transaction.id, integer('version')(row)],
  );
  if (changed === 0) return undefined;
  await rewriteSearchKeys(db, transaction);
  return done;
}

function parseStored({ keys }: Database, row: Row, force: boolean) {
  try {
    return { transaction: parseTransaction(row, keys), done: 'encrypted' } as const;
  } catch (error) {
    if (!force || !(error instanceof UndecryptableSecret)) throw error;
    return { transaction: parseTransaction(withoutPersonalData(row), keys), done: 'deleted' } as const;
  }
}
