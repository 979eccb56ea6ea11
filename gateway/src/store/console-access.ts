/** Links that open the console once, and its sessions. Only hashes of their tokens are stored. */
import { randomBytes } from 'node:crypto';
import { DEMO_KEY_ID, hashKey, type KeyPolicy } from './api-keys.ts';
import type { Merchant } from './merchants.ts';
import type { Database } from './store.ts';

type Kind = 'link' | 'session';

/** What gives access to the console for some time. */
export interface ConsoleToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The API key, or the token of a session, that a link or a session is made with. */
export type Credential = { readonly key: string } | { readonly session: string };

const LIFETIME_MS: Readonly<Record<Kind, number>> = { link: 15 * 60_000, session: 12 * 3_600_000 };

/** Makes a link that opens the console once. Returns undefined if the credential is not valid. */
export function createConsoleLink(db: Database, by: Credential, now: number): Promise<ConsoleToken | undefined> {
  return addAccess(db, 'link', by, now);
}

/** Begins a session with an API key. Returns undefined if there is no such key. */
export function createConsoleSession(db: Database, key: string, now: number): Promise<ConsoleToken | undefined> {
  return addAccess(db, 'session', { key }, now);
}

/** Begins a session with a link, which is used up by it. Returns undefined if the link is unknown, used or too old. */
export async function redeemConsoleLink(db: Database, token: string, now: number): Promise<ConsoleToken | undefined> {
  const expiresAt = now + LIFETIME_MS.session;
  const session = newToken();
  // One statement, so that two requests can't use the link at once.
  const changed = await db.run(
    `update console_access set hash = ?, kind = 'session', expires_at = ?
     where hash = ? and kind = 'link' and expires_at > ?`,
    hashKey(session),
    expiresAt,
    hashKey(token),
    now,
  );
  return changed === 1 ? { token: session, expiresAt } : undefined;
}

/** The merchant of a session that hasn't ended, if the gateway still accepts the key that the session was begun with. */
export async function merchantBySession(
  db: Database,
  session: string,
  { demo }: Pick<KeyPolicy, 'demo'>,
  now: number,
): Promise<Merchant | undefined> {
  const row = await db.get(
    `select m.id, m.name, m.created_at, k.id as key_id
     from console_access a join api_keys k on k.id = a.key_id join merchants m on m.id = k.merchant_id
     where a.hash = ? and a.kind = 'session' and a.expires_at > ? and k.revoked_at is null and m.disabled_at is null`,
    hashKey(session),
    now,
  );
  if (!row || (row['key_id'] === DEMO_KEY_ID && !demo)) return undefined;
  return { id: Number(row['id']), name: String(row['name']), createdAt: Number(row['created_at']) };
}

/** Ends a session. */
export async function endConsoleSession(db: Database, session: string): Promise<void> {
  await db.run(`delete from console_access where hash = ? and kind = 'session'`, hashKey(session));
}

async function addAccess(db: Database, kind: Kind, by: Credential, now: number): Promise<ConsoleToken | undefined> {
  const token = newToken();
  const expiresAt = now + LIFETIME_MS[kind];
  const source =
    'key' in by
      ? 'id, cast(? as bigint) from api_keys where revoked_at is null and hash = ?'
      : `key_id, cast(? as bigint) from console_access where kind = 'session' and hash = ?`;
  const added = await db.run(
    `insert into console_access (hash, kind, key_id, expires_at) select ?, '${kind}', ${source}`,
    hashKey(token),
    expiresAt,
    hashKey('key' in by ? by.key : by.session),
  );
  // Nothing else removes what has ended.
  await db.run('delete from console_access where expires_at < ?', now);
  return added === 1 ? { token, expiresAt } : undefined;
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}
