/**
 * Commits on PostgreSQL. With a synchronous standby, a commit waits until the standby has it. If that wait is canceled,
 * as by `pg_cancel_backend`, PostgreSQL reports success with a warning: the commit is on the primary only, and a failover
 * would lose it. Time limits of the server don't cancel the wait; they end before a commit begins.
 */
import type pg from 'pg';
import { StoreUnavailable } from '../store.ts';

/** Routine of PostgreSQL that warns. The message itself depends on the language of the server. */
const WARNS_FROM = 'SyncRepWaitForLSN';
/** For every connection: a role could otherwise be set to hide the warning. */
export const SHOW_WARNINGS = { client_min_messages: 'warning' };

/** Commits. Rejects with StoreUnavailable if it is not known whether the synchronous standby has the commit. */
export async function commit(client: pg.ClientBase): Promise<void> {
  let isCanceled = false;
  const watch = ({ routine }: { routine?: string | undefined }) => {
    if (routine === WARNS_FROM) isCanceled = true;
  };
  client.on('notice', watch);
  try {
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error('a unit of work continued after one of its statements had failed');
  } finally {
    client.off('notice', watch);
  }
  if (isCanceled) throw new StoreUnavailable('the wait for the synchronous standby was canceled');
}
