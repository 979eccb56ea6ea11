/** Signing secrets of merchants' webhooks. They are encrypted if the gateway has a key for it. */

import { integer, optional, rowMapper, text } from '../database/row-mapper.ts';
import { type Database, Rejection } from '../database/store.ts';
import { toBase64 } from '../platform/base64.ts';
import { type Ids, randomIds } from '../platform/ids.ts';
import { type KeyRing, readKeyId, UndecryptableSecret } from '../platform/key-ring.ts';
import { lockMerchant } from './merchants.ts';

export interface SigningSecret {
  readonly id: string;
  readonly secret: string;
}

/** A secret without the secret itself. Times are milliseconds since 1970. */
export interface SecretListing {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  /** The id of its encryption key. */
  readonly keyId: string | undefined;
}

/** Reason why a secret can't be revoked. */
export type RevocationRefusal = 'unknown' | 'only';

/** Two secrets are valid at a time: the newest, and its predecessor until it expires. */
const ROTATION_MS = 24 * 60 * 60_000;
const VALID = '(expires_at is null or expires_at > ?)';

interface SecretOptions {
  readonly ids?: Ids;
  /** Milliseconds that the predecessor stays valid. */
  readonly overlapMs?: number;
}

/** Adds a signing secret. Secrets before its predecessor end immediately. Throws UndecryptableSecret. */
export async function createSigningSecret(
  db: Database,
  merchantId: number,
  now: number,
  { ids = randomIds, overlapMs = ROTATION_MS }: SecretOptions = {},
): Promise<string> {
  await lockMerchant(db, merchantId);
  const valid = await validSecrets(db, merchantId, now);
  // The first is for the merchant, and each of the others for its predecessor.
  const before = valid[0]?.id.slice(-16) ?? '';
  const secret = `whsec_${toBase64(ids.bytes(32, 'secret', merchantId, before))}`;
  await db.run(
    'update signing_secrets set expires_at = ? where merchant_id = ? and expires_at is null',
    now + overlapMs,
    merchantId,
  );
  for (const { id } of valid.slice(1)) await expire(db, id, now);
  const id = ids.newId('sec', now, merchantId, before);
  await db.run(
    'insert into signing_secrets (id, merchant_id, secret, created_at) values (?, ?, ?, ?)',
    id,
    merchantId,
    db.keys.encrypt(secret, describeRow(merchantId, id)),
    now,
  );
  return secret;
}

/** The secrets that currently sign an event, newest first. Throws UndecryptableSecret. */
export async function validSecrets(db: Database, merchantId: number, now: number): Promise<SigningSecret[]> {
  const rows = await db.all(
    `${STORED} where merchant_id = ? and ${VALID} order by created_at desc, id desc`,
    merchantId,
    now,
  );
  return rows.map(toStored).map((stored) => ({ id: stored.id, secret: decrypt(stored, db.keys) }));
}

/** The merchant's newest expired secret. Throws UndecryptableSecret. */
export async function expiredSecret(db: Database, merchantId: number, now: number): Promise<string | undefined> {
  const row = await db.get(
    `${STORED} where merchant_id = ? and expires_at <= ? order by created_at desc, id desc limit 1`,
    merchantId,
    now,
  );
  return row && decrypt(toStored(row), db.keys);
}

/** Ends the merchant's superseded secrets. */
export async function expireReplacedSecrets(db: Database, merchantId: number, now: number): Promise<void> {
  await db.run(
    'update signing_secrets set expires_at = ? where merchant_id = ? and expires_at > ?',
    now,
    merchantId,
    now,
  );
}

/** Deletes the merchant's expired secrets except the newest few. */
export async function deleteExpiredSecrets(db: Database, merchantId: number, now: number, kept: number): Promise<void> {
  await db.run(
    `delete from signing_secrets where merchant_id = ? and expires_at <= ? and id not in
       (select id from signing_secrets where merchant_id = ? and expires_at <= ?
        order by created_at desc, id desc limit ${kept})`,
    merchantId,
    now,
    merchantId,
    now,
  );
}

/** The merchant's secrets that aren't deleted, oldest first. */
export async function readSigningSecrets(db: Database, merchantId: number): Promise<SecretListing[]> {
  const rows = await db.all(
    'select id, secret, created_at, expires_at from signing_secrets where merchant_id = ? order by created_at, id',
    merchantId,
  );
  return rows.map(toListing);
}

/**
 * Revokes a valid secret. Its predecessor, if still valid, then stays valid until the next rotation. Revoking the only
 * secret requires `force`, because no webhook is sent without one.
 */
export async function revokeSigningSecret(
  db: Database,
  merchantId: number,
  id: string,
  { now, force }: { readonly now: number; readonly force: boolean },
): Promise<Rejection<RevocationRefusal> | undefined> {
  await lockMerchant(db, merchantId);
  const rows = await db.all(
    `select id from signing_secrets where merchant_id = ? and ${VALID} order by created_at desc, id desc`,
    merchantId,
    now,
  );
  const valid = rows.map(text('id'));
  if (!valid.includes(id)) return new Rejection('unknown');
  const [newest] = valid.filter((other) => other !== id);
  if (newest === undefined && !force) return new Rejection('only');
  await expire(db, id, now);
  if (newest !== undefined) await db.run('update signing_secrets set expires_at = null where id = ?', newest);
  return undefined;
}

/** The result of re-encrypting a batch of secrets or transactions. */
export interface Reencryption {
  /** Number of rows encrypted with the first key. */
  readonly encrypted: number;
  /** Number of transactions whose undecryptable personal data was deleted. */
  readonly deleted?: number;
  /** Reasons why other rows could not be encrypted. */
  readonly failures: readonly string[];
  /** The last id of the batch. Undefined in the last batch. */
  readonly last: string | undefined;
}

/** Encrypts up to `limit` secrets that aren't encrypted with the ring's first key. */
export async function reencryptSecrets(db: Database, limit: number, after = ''): Promise<Reencryption> {
  const { keys } = db;
  const rows = (await db.all(`${STORED} where id > ? order by id limit ${limit}`, after)).map(toStored);
  const failures: string[] = [];
  let encrypted = 0;
  for (const stored of rows) {
    const { id, merchantId, secret } = stored;
    if (keys.isCurrent(secret)) continue;
    const plain = attempt(() => decrypt(stored, keys));
    if (plain instanceof UndecryptableSecret) failures.push(plain.message);
    // May race with another process.
    else
      encrypted += await db.run(
        'update signing_secrets set secret = ? where id = ? and secret = ?',
        keys.encrypt(plain, describeRow(merchantId, id)),
        id,
        secret,
      );
  }
  return { encrypted, failures, last: rows.length === limit ? rows.at(-1)?.id : undefined };
}

/** The gateway can't sign with the database's secrets, or must not leave them unencrypted. */
export class UnusableSecrets extends Error {
  constructor(reasons: readonly string[]) {
    super(reasons.join('\n'));
    this.name = 'UnusableSecrets';
  }
}

/**
 * Decrypts all valid secrets. Throws UnusableSecrets with one reason per missing key and per altered secret. Returns
 * the number of plaintext secrets.
 */
export async function requireReadableSecrets(db: Database, now: number): Promise<number> {
  const { keys } = db;
  const rows = (await db.all(`${STORED} where ${VALID} order by id`, now)).map(toStored);
  const failures = new Map<string, string>();
  for (const stored of rows) {
    const plain = attempt(() => decrypt(stored, keys));
    if (!(plain instanceof UndecryptableSecret)) continue;
    const keyId = readKeyId(stored.secret) ?? '';
    failures.set(keys.ids.includes(keyId) ? stored.id : keyId, plain.message);
  }
  if (failures.size > 0) throw new UnusableSecrets([...failures.values()]);
  return rows.filter(({ secret }) => readKeyId(secret) === undefined).length;
}

async function expire(db: Database, id: string, now: number): Promise<void> {
  await db.run('update signing_secrets set expires_at = ? where id = ?', now, id);
}

const STORED = 'select id, merchant_id, secret from signing_secrets';

const toStored = rowMapper({ id: text('id'), merchantId: integer('merchant_id'), secret: text('secret') });

function decrypt({ id, merchantId, secret }: ReturnType<typeof toStored>, keys: KeyRing): string {
  return keys.decrypt(secret, describeRow(merchantId, id));
}

/** The row to which an encrypted secret is bound. */
function describeRow(merchantId: number, id: string): string {
  return `signing secret ${id} of merchant ${merchantId}`;
}

function attempt(read: () => string): string | UndecryptableSecret {
  try {
    return read();
  } catch (error) {
    if (error instanceof UndecryptableSecret) return error;
    throw error;
  }
}

const toListing = rowMapper<SecretListing>({
  id: text('id'),
  createdAt: integer('created_at'),
  expiresAt: optional('expires_at', Number),
  keyId: (row) => readKeyId(text('secret')(row)),
});
