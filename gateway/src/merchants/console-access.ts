/** Single-use links to the console, and its sessions. Only hashes of their tokens are stored. */

import { integer, text } from '../database/row-mapper.ts';
import type { Database } from '../database/store.ts';
import { toBase64Url } from '../platform/base64.ts';
import { randomBytes } from '../platform/crypto.ts';
import { DEMO_KEY_ID, hashKey, type KeyPolicy } from './api-keys.ts';
import { type Merchant, toMerchant } from './merchants.ts';

type Kind = 'link' | 'session';

/** A token that gives temporary access to the console. */
export interface ConsoleToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The API key, the id of an operator's key, or the session's token with which a link or a session is created. */
export type Credential = { readonly key: string } | { readonly operatorKeyId: string } | { readonly session: string };

const LIFETIME_MS: Readonly<Record<Kind, number>> = { link: 15 * 60_000, session: 12 * 3_600_000 };

/** The end of the session `s`, at most `?2`. */
const EARLIER = 'case when s.expires_at < ?2 then s.expires_at else cast(?2 as bigint) end';

/** Creates a single-use link to the console. Returns undefined for an invalid credential. */
export function createConsoleLink(db: Database, by: Credential, now: number): Promise<ConsoleToken | undefined> {
  return addAccess(db, 'link', by, now);
}

/** Starts a session. Returns undefined for an invalid credential. */
export function createConsoleSession(db: Database, by: Credential, now: number): Promise<ConsoleToken | undefined> {
  return addAccess(db, 'session', by, now);
}

/** Starts a session with a link, which can't be reused. Returns undefined if the link is unknown, used or expired. */
export async function redeemConsoleLink(db: Database, token: string, now: number): Promise<ConsoleToken | undefined> {
  const expiresAt = now + LIFETIME_MS.session;
  const session = newToken();
  // One statement, so that two requests can't use the link at once.
  const row = await db.get(
    `update console_access set hash = ?1, kind = 'session', expires_at = coalesce(
       (select ${EARLIER} from console_access s where s.hash = console_access.made_in), cast(?2 as bigint))
     where hash = ?3 and kind = 'link' and expires_at > ?4
     returning expires_at`,
    hashKey(session),
    expiresAt,
    hashKey(token),
    now,
  );
  return row && { token: session, expiresAt: integer('expires_at')(row) };
}

/** The merchant of an unexpired session, if the gateway still accepts the session's key. */
export async function merchantBySession(
  db: Database,
  session: string,
  { demo }: Pick<KeyPolicy, 'demo'>,
  now: number,
): Promise<Merchant | undefined> {
  const row = await db.get(
    `select m.id, m.name, m.created_at, m.methods, k.id as key_id
     from console_access a join api_keys k on k.id = a.key_id join merchants m on m.id = k.merchant_id
     where a.hash = ? and a.kind = 'session' and a.expires_at > ? and k.revoked_at is null and m.disabled_at is null`,
    hashKey(session),
    now,
  );
  if (!row || (text('key_id')(row) === DEMO_KEY_ID && !demo)) return undefined;
  return toMerchant(row);
}

/** Ends a session, its links, and the sessions started from them. */
export async function endConsoleSession(db: Database, session: string): Promise<void> {
  await db.run(`delete from console_access where hash = ? and kind = 'session'`, hashKey(session));
}

async function addAccess(db: Database, kind: Kind, by: Credential, now: number): Promise<ConsoleToken | undefined> {
  const token = newToken();
  const expiresAt = now + LIFETIME_MS[kind];
  const [source, value] = selectSource(by);
  const row = await db.get(
    `insert into console_access (hash, kind, key_id, operator_key_id, expires_at, made_in) select ?1, '${kind}', ${source}
     returning expires_at`,
    hashKey(token),
    expiresAt,
    value,
  );
  // Expired rows are removed only here.
  await db.run('delete from console_access where expires_at < ?', now);
  return row && { token, expiresAt: integer('expires_at')(row) };
}

/** SQL that selects a valid credential, and the value that identifies it. */
function selectSource(by: Credential): readonly [sql: string, value: string] {
  const valid = 'cast(?2 as bigint), null from';
  if ('key' in by) return [`id, null, ${valid} api_keys where revoked_at is null and hash = ?3`, hashKey(by.key)];
  if ('operatorKeyId' in by)
    return [`null, id, ${valid} operator_keys where revoked_at is null and id = ?3`, by.operatorKeyId];
  const sql = `key_id, operator_key_id, ${EARLIER}, hash from console_access s where kind = 'session' and hash = ?3`;
  return [sql, hashKey(by.session)];
}

/** An unguessable token. */
function newToken(): string {
  return toBase64Url(randomBytes(32));
}
