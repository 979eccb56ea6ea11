/**
 * Sets up the session of each new connection. A connection pooler, such as PgBouncer, may be in between. In its
 * transaction mode, clients share the server's sessions, so one client's settings affect the others.
 */

import pg from 'pg';
import { UnusableDatabase } from '../store.ts';

/** Lifetime of a client's session: its connection, also without a pooler, or a transaction. */
export type PoolMode = 'session' | 'transaction';

/** Values of the server's settings, by name. */
export type SessionSettings = Readonly<Record<string, string | number>>;

/** The gateway needs dedicated sessions but was given a shared one. */
export class SharedSessions extends UnusableDatabase {
  constructor(options?: ErrorOptions) {
    super(
      'A connection pooler in transaction mode is in front of the server. Set DATABASE_POOLER=transaction.',
      options,
    );
  }
}

/** Number of times that two connections are compared. Once is enough unless other clients keep the pooler busy. */
const COMPARISONS = 4;
/** Time to wait for a second session, in milliseconds. */
const SESSION_WAIT_MS = 2_000;

/**
 * Returns the pool's connection hook. It rejects with SharedSessions, before changing any setting, if the connection
 * has no dedicated session.
 */
export function sessionSetup(
  connection: pg.ClientConfig,
  settings: SessionSettings,
): (client: pg.ClientBase) => Promise<void> {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`);
  const set = `select ${calls.join(', ')}`;
  let compared: Promise<void> | undefined;

  async function compare(client: pg.ClientBase): Promise<void> {
    if (await sharesSessions(client, connection)) throw new SharedSessions();
  }

  return async (client) => {
    // Poolers report made-up process ids to clients.
    const { processID } = client as unknown as { readonly processID: number };
    const { rowCount } = await client.query(`${set} where pg_backend_pid() = ${processID}`);
    if (rowCount === 1) return;
    compared ??= compare(client).catch((error: unknown) => {
      compared = undefined;
      throw error;
    });
    await compared;
    await client.query(set);
  };
}

/** Whether two connections meet in one session, or one of them changes its session. */
async function sharesSessions(client: pg.ClientBase, connection: pg.ClientConfig): Promise<boolean> {
  const other = new pg.Client({ ...connection, query_timeout: SESSION_WAIT_MS });
  other.on('error', () => undefined);
  const own = new Set<number>();
  const others = new Set<number>();
  try {
    await other.connect();
    for (let count = 0; count < COMPARISONS; count++) {
      own.add(await readSessionId(client));
      others.add(await readSessionId(other));
    }
  } catch {
    // There is no second session while this connection has the first one, so that isn't shared.
    return false;
  } finally {
    await other.end();
  }
  return own.size > 1 || others.size > 1 || [...others].every((session) => own.has(session));
}

async function readSessionId(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return Number(rows[0]?.pid);
}
