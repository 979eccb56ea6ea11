/**
 * Profiles of databases that speak PostgreSQL's protocol (docs/decisions/0021-portable-profile.md). `postgres` uses what
 * PostgreSQL has: row locks that skip or wait, advisory and table locks, partitions. `portable` uses none of
 * it: each transaction that writes is serializable, and is run again after a conflict.
 */
import { createHash } from 'node:crypto';
import { withoutRowLocks } from '../row-locks.ts';
import { ENCODING, PROPERTIES } from './properties.ts';
import type { SessionSettings } from './sessions.ts';

export type ProfileName = 'postgres' | 'portable';

/** A statement as it is sent, with a name under which the server caches its plan. */
export interface PreparedStatement {
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
  /**
   * Whether it supports features specific to PostgreSQL: table locks, advisory locks, partitions, and concurrent index
   * builds.
   */
  readonly isPostgres: boolean;
  /** Allocates disk space without changing data. */
  readonly writeProbe: string;
  /** Reads what `requireProperties` checks. */
  readonly properties: string;
}

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
