/**
 * PostgreSQL connections with seeded serialization failures, in any of a transaction's first statements or in its
 * commit, after which it is rolled back. The server itself raises the errors.
 */
import type { Socket } from 'node:net';
import pg from 'pg';
import type { PostgresOptions } from '../../../gateway/src/database/postgres/postgres-store.ts';
import { createIds } from '../../../gateway/src/platform/ids.ts';

export interface Conflicts {
  /** Options of a store in the portable profile with these conflicts. */
  readonly connection: Pick<PostgresOptions, 'profile' | 'Client'>;
  /** Failures so far. */
  readonly injected: Record<'statement' | 'commit' | 'read', number>;
  /** The distinct statements so far, without their values. */
  readonly sent: ReadonlySet<string>;
}

/** Failures are distributed evenly over this many statements. Shorter transactions fail in their commit. */
const STATEMENTS = 4;

type Send = (query: string | pg.QueryConfig) => Promise<pg.QueryResult>;

/** Makes the given share of writing transactions fail, and half of that share of reads, with 40001 or another code. */
export function injectConflicts(seed: string, share: number, code = '40001'): Conflicts {
  const failure = `do $$ begin raise exception 'injected failure' using errcode = '${code}'; end $$`;
  // As after a failed commit, the transaction has no effect.
  const failedCommit = `rollback; ${failure}`;
  const ids = createIds(seed);
  const fraction = () => ids.fraction(ids.count());
  const injected = { statement: 0, commit: 0, read: 0 };
  const sent = new Set<string>();

  /** The queries that a connection sends instead of the given ones. */
  function replacement(): (text: string) => string {
    let state: 'none' | 'sound' | 'failing' = 'none';
    let left = 0;

    function fail(kind: keyof typeof injected): string {
      injected[kind] += 1;
      if (kind === 'statement') state = 'sound';
      if (kind === 'commit') state = 'none';
      return kind === 'commit' ? failedCommit : failure;
    }

    return (text) => {
      if (text.startsWith('begin')) {
        state = text.includes('read write') && fraction() < share ? 'failing' : 'sound';
        left = Math.floor(fraction() * (STATEMENTS + 1));
        return text;
      }
      if (text === 'commit') {
        const isFailing = state === 'failing';
        if (!isFailing) state = 'none';
        return isFailing ? fail('commit') : text;
      }
      if (text === 'rollback') state = 'none';
      else if (state === 'failing' && left-- === 0) return fail('statement');
      // The setup of a session is not retried.
      else if (state === 'none' && !text.includes('set_config') && fraction() < share / 2) return fail('read');
      return text;
    };
  }

  const Client = replaceQueries(() => {
    const replace = replacement();
    return (text) => {
      sent.add(text);
      return replace(text);
    };
  });
  return { connection: { profile: 'portable', Client }, injected, sent };
}

/** Connections that send other queries. `start` gets the socket of each connection. */
export function replaceQueries(start: (socket: () => Socket) => (text: string) => string): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const send = this.query.bind(this) as Send;
      const replace = start(
        () => (this as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream,
      );
      const replacing: Send = (query) => {
        const given = typeof query === 'string' ? query : query.text;
        const text = replace(given);
        return send(text === given ? query : text);
      };
      this.query = replacing as typeof this.query;
    }
  };
}
