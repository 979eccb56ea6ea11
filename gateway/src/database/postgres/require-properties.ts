/**
 * Properties of a PostgreSQL database that cause failures only with certain data, or in a server crash. Checked by every
 * command and by the readiness.
 */

import { type Row, StoreUnavailable, UnusableDatabase } from '../store.ts';

/** The collation's version when the indexes were built, which PostgreSQL before 15 doesn't know, and now. 100 is the default. */
const BUILT_WITH = "to_jsonb(d) ->> 'datcollversion'";
const COLLATION_NOW = 'pg_collation_actual_version(100)';

/** Reads what `requireProperties` checks. */
export const PROPERTIES = `select current_setting('server_encoding') as encoding, d.datname as name,
    case when ${BUILT_WITH} <> ${COLLATION_NOW} then ${BUILT_WITH} || ', now ' || ${COLLATION_NOW} end as collations,
    current_setting('synchronous_commit') as synchronous_commit,
    case when pg_is_in_recovery() then 1 else 0 end as is_standby
  from pg_database d where d.datname = current_database()`;

/** Throws UnusableDatabase, or StoreUnavailable for a gateway on a standby. Commands may read from one. */
export function requireProperties(row: Row | undefined, { isGateway }: { readonly isGateway: boolean }): void {
  const { encoding, name, collations, synchronous_commit: commits, is_standby: isStandby } = row ?? {};
  if (encoding && encoding !== 'UTF8')
    throw new UnusableDatabase(
      `Its encoding is ${encoding}, which can't store every name. Create a database with UTF-8, and set DATABASE_URL to it: createdb --template=template0 --encoding=UTF8 --locale=C NEW_NAME`,
    );
  if (collations)
    throw new UnusableDatabase(
      `The order of texts has changed since its indexes were built (version ${collations}), so that an order could be stored twice. Stop the gateways, then run in psql:\nreindex database "${name}";\nalter database "${name}" refresh collation version;`,
    );
  if (!isGateway) return;
  if (isStandby)
    throw new StoreUnavailable('the database is read-only', {
      reason: 'read_only',
      cause: Object.assign(new Error('the server is a standby'), { code: '25006' }),
    });
  if (commits === 'off')
    throw new UnusableDatabase(
      `synchronous_commit is off, so that a crash of the server loses payments that were acknowledged. Run in psql: alter database "${name}" set synchronous_commit = on`,
    );
}
