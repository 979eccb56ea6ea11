/** Translates PostgreSQL's errors: the store is unavailable, or the connection is unusable. */
import pg from 'pg';
import { LockTimeout, StoreUnavailable } from '../store.ts';
import { LOCK_TIMEOUT } from './error-code.ts';
import { SharedSessions } from './sessions.ts';

/** The server is stopping, starting, read-only or out of connections, a wait took too long, or the connection broke. */
const UNAVAILABLE = /^(08|57|53|25006|25P03|55P03)/;
/** Those after which the server has closed the connection, or is about to. */
const ENDED = /^(08|57P|25P03)/;
const BROKEN = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** A named statement of another client, or of another session: there is or there isn't one of the name. */
const SHARED_SESSION = new Set(['42P05', '26000']);

/** StoreUnavailable for an error that passes when the database is back; any other error unchanged. */
export function translateError(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  if (SHARED_SESSION.has((error as { code?: string }).code ?? '')) return new SharedSessions({ cause: error });
  if ((error as { code?: string }).code === LOCK_TIMEOUT)
    return new LockTimeout('others use the table', { cause: error });
  return isUnavailable(error) ? new StoreUnavailable('the database cannot be reached', { cause: error }) : error;
}

/** Whether an error leaves the connection unusable: unless the server itself has responded, it may still be busy. */
export function isBroken(error: unknown): boolean {
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  if (cause instanceof pg.DatabaseError) return ENDED.test(cause.code ?? '');
  return isUnavailable(error);
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (UNAVAILABLE.test(code) || BROKEN.has(code) || isFromStandby(error)) return true;
  return /terminated|timeout|not queryable/i.test(message);
}

/** The error of `begin read write` on a standby: it doesn't support that value of the setting. */
function isFromStandby(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string };
  return code === '0A000' && routine === 'call_bool_check_hook';
}
