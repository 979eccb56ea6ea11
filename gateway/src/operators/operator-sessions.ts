/** Sessions of operators in the console. Only hashes of their tokens are stored. */
import type { Database } from '../database/store.ts';
import { hashKey } from '../merchants/api-keys.ts';
import { type ConsoleToken, newToken, SESSION_MS } from '../merchants/console-access.ts';
import { type Operator, toOperator } from './operators.ts';

/** Begins a session that ends with a key. */
export async function createOperatorSession(db: Database, keyId: string, now: number): Promise<ConsoleToken> {
  const token = newToken();
  const expiresAt = now + SESSION_MS;
  const values = [hashKey(token), keyId, expiresAt];
  await db.run('insert into operator_sessions (hash, key_id, expires_at) values (?, ?, ?)', ...values);
  // Expired rows are removed only here.
  await db.run('delete from operator_sessions where expires_at < ?', now);
  return { token, expiresAt };
}

/** The operator of a valid session, with the current role. */
export async function operatorBySession(db: Database, session: string, now: number): Promise<Operator | undefined> {
  const row = await db.get(
    `select o.id, o.name, o.role from operator_sessions s join operator_keys k on k.id = s.key_id
       join operators o on o.id = k.operator_id
     where s.hash = ? and s.expires_at > ? and k.revoked_at is null`,
    hashKey(session),
    now,
  );
  return row && toOperator(row);
}

export async function endOperatorSession(db: Database, session: string): Promise<void> {
  await db.run('delete from operator_sessions where hash = ?', hashKey(session));
}
