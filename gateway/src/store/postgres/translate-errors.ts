/** What PostgreSQL's errors mean: the store is unavailable, or the connection is unusable. */
import pg from 'pg';
import { StoreUnavailable } from '../store.ts';

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

/** StoreUnavailable for an error that passes when the database is back; any other error unchanged. */
export function translateError(error: unknown): unknown {
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
  return UNAVAILABLE.test(code) || BROKEN.has(code) || /terminated|timeout|not queryable/i.test(message);
}
