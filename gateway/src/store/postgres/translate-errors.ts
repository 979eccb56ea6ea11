/** What PostgreSQL's errors mean: the store is unavailable, or the connection is of no use any more. */
import pg from 'pg';
import { StoreUnavailable } from '../store.ts';

/** The server is stopping, starting, read-only or out of connections; a wait took too long; the connection broke. */
const UNAVAILABLE = /^(08|57|53|25006|25P03|55P03)/;
/** Of these, those after which the server has ended the connection, or is about to. */
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

/** StoreUnavailable for what passes when the database is back; any other error as it is. */
export function translateError(error: unknown): unknown {
  return isUnavailable(error) ? new StoreUnavailable('the database cannot be reached', { cause: error }) : error;
}

/** Whether a connection is of no use after the error: unless the server itself has answered, it may still be at it. */
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
