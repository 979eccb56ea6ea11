/**
 * Profiles of databases that speak PostgreSQL's protocol (docs/decisions/0021-portable-profile.md). `postgres` uses row
 * locks that skip or wait. `portable` uses none: each writing transaction is serializable, and repeated after a
 * conflict.
 */

import { createHash } from 'node:crypto';
import { withoutRowLocks } from '../sql.ts';
import { type Row, StoreUnavailable, UnusableDatabase } from '../store.ts';
import type { SessionSettings } from './sessions.ts';

export type ProfileName = 'postgres' | 'portable';

/** A statement as it is sent, with a name under which the server caches its plan. */
interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

export interface PostgresProfile {
  readonly prepare: (sql: string) => PreparedStatement;
  /** Begins a transaction that writes. */
  readonly begin: string;
  /** Settings of each session, besides the time limits. */
  readonly session: SessionSettings;
  /** Attempts of a unit of work, of a transaction with units of several callers, and of a read. Only conflicts are repeated. */
  readonly attempts: { readonly alone: number; readonly together: number; readonly read: number };
  /** Whether it supports PostgreSQL's own features: planner settings, the server's location, concurrent index builds. */
  readonly isPostgres: boolean;
  /** Allocates disk space without changing data. */
  readonly writeProbe: string;
  /** Reads what `requireProperties` checks. */
  readonly properties: string;
}

// Properties of a database that cause failures only with certain data, or in a server crash. Checked by every command
// and by the readiness.

/** Reads the encoding, which databases that only speak PostgreSQL's protocol may not have. */
const ENCODING = "select current_setting('server_encoding', true) as encoding, current_database() as name";

/** The collation's version when the indexes were built, which PostgreSQL before 15 doesn't know, and now. 100 is the default. */
const BUILT_WITH = "to_jsonb(d) ->> 'datcollversion'";
const COLLATION_NOW = 'pg_collation_actual_version(100)';

const PROPERTIES = `select current_setting('server_encoding') as encoding, d.datname as name,
    case when ${BUILT_WITH} <> ${COLLATION_NOW} then ${BUILT_WITH} || ', now ' || ${COLLATION_NOW} end as collations,
    current_setting('synchronous_commit') as synchronous_commit,
    case when pg_is_in_recovery() then 1 else 0 end as is_standby
  from pg_database d where d.datname = current_database()`;

export const POSTGRES_PROFILES: Readonly<Record<ProfileName, PostgresProfile>> = {
  postgres: {
    prepare: preparation((sql) => sql),
    // A role or a database may have another default.
    begin: 'begin isolation level read committed read write',
    session: {},
    // Units that share a transaction run alone after a conflict.
    attempts: { alone: 5, together: 1, read: 1 },
    isPostgres: true,
    writeProbe:
      "create temporary table write_probe on commit drop as select repeat('x', 100) from generate_series(1, 100)",
    properties: PROPERTIES,
  },
  portable: {
    prepare: preparation(withoutRowLocks),
    begin: 'begin isolation level serializable read write',
    session: { default_transaction_isolation: 'serializable' },
    attempts: { alone: 40, together: 20, read: 10 },
    isPostgres: false,
    writeProbe: 'update schema_version set version = version where id = 1',
    properties: ENCODING,
  },
};

/** Numbers the parameters of statements, and remembers the result. */
function preparation(rewrite: (sql: string) => string): PostgresProfile['prepare'] {
  const known = new Map<string, PreparedStatement>();
  return (sql) => {
    let statement = known.get(sql);
    if (!statement) {
      let index = 0;
      const text = rewrite(sql).replace(/\?(\d*)/g, (_mark, number: string) => `$${number || ++index}`);
      statement = { name: createHash('sha256').update(text).digest('hex').slice(0, 32), text };
      known.set(sql, statement);
    }
    return statement;
  };
}

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
