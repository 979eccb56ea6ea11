/** Builds indexes concurrently, which PostgreSQL supports only outside of a transaction. */
import pg from 'pg';
import { UNLIMITED_MS } from './transact.ts';
import { translateError } from './translate-errors.ts';

const CREATION = /^create (unique )?index (?<name>\w+) on /;

/** Builds an index unless it exists. First drops the remains of an interrupted build. */
export async function buildIndex(connection: pg.ClientConfig, isPooled: boolean, statement: string): Promise<void> {
  const name = CREATION.exec(statement)?.groups?.['name'];
  if (name === undefined) throw new Error(`not the creation of an index: ${statement}`);
  const client = new pg.Client({ ...connection, query_timeout: UNLIMITED_MS });
  // The error of a query comes from the query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // Behind a pooler, the session is shared and has the server's limits.
    if (!isPooled) await client.query('set statement_timeout = 0; set lock_timeout = 0');
    const found = await client.query<{ valid: boolean }>(
      'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
      [name],
    );
    if (found.rows[0]?.valid === false) await client.query(`drop index concurrently ${name}`);
    await client.query(statement.replace(' index ', ' index concurrently if not exists '));
  } catch (error) {
    throw translateError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
