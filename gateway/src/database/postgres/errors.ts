/** Translates PostgreSQL's errors, and repeats transactions after a conflict. */
import pg from 'pg';
import { randomIds } from '../../platform/ids.ts';
import { systemTimers } from '../../platform/timers.ts';
import { StoreUnavailable, type UnavailableReason } from '../store.ts';
import { SharedSessions } from './sessions.ts';

/** A statement that follows a failed one in a transaction. */
export const ABORTED = '25P02';

/** PostgreSQL's error code, from the error or its cause. */
export function readErrorCode(error: unknown): string | undefined {
  if (error instanceof StoreUnavailable) return readErrorCode(error.cause);
  return (error as { code?: string } | undefined)?.code;
}

/**
 * The server is stopping, starting, read-only, out of connections or of room, or can't read a page, a wait took too long,
 * the connection broke, or a distributed database doesn't know whether it has committed (40003).
 */
const UNAVAILABLE = /^(08|57|53|58030|25006|25P03|55P03|XX00[12]|40003)/;
/** Reasons other than an unreachable server, by the code's prefix. */
const REASONS: readonly (readonly [code: RegExp, UnavailableReason, message: string])[] = [
  [/^55P03/, 'busy', 'others use the table'],
  [/^53100/, 'disk_full', 'the disk of the database is full'],
  [/^58030/, 'disk_failed', 'the disk of the database has failed'],
  [/^XX00/, 'damaged', 'the database is damaged'],
  [/^53/, 'overloaded', 'the database has no room for more'],
  [/^(25006|0A000)/, 'read_only', 'the database is read-only'],
];
/** Errors after which the server has closed the connection, or is about to. */
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

/** A named statement of another client or session exists, or is missing. */
const SHARED_SESSION = new Set(['42P05', '26000']);

/** StoreUnavailable for an error that passes when the database is back; any other error unchanged. */
export function translateError(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  if (SHARED_SESSION.has((error as { code?: string }).code ?? '')) return new SharedSessions({ cause: error });
  const { code = '' } = error as { code?: string };
  if (!isUnavailable(error)) return error;
  const [, reason = 'unreachable', message = 'the database cannot be reached'] =
    REASONS.find(([codes]) => codes.test(code)) ?? [];
  return new StoreUnavailable(message, { reason, cause: error });
}

/**
 * Takes a connection from the pool. Any refusal of the server, such as of the role's password, is StoreUnavailable: no
 * statement has run, and the next connection may succeed.
 */
export async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    const translated = translateError(error);
    if (!(translated instanceof pg.DatabaseError)) throw translated;
    throw new StoreUnavailable('the server refuses the connection', { cause: error });
  }
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

/** The routines that refuse, on a standby, a transaction that writes or is serializable: it doesn't support that value. */
const REFUSE_ON_STANDBY = new Set([
  'call_bool_check_hook',
  'call_enum_check_hook',
  'GetSerializableTransactionSnapshot',
]);

function isFromStandby(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string };
  return code === '0A000' && REFUSE_ON_STANDBY.has(routine ?? '');
}

// Retries transactions after a conflict. The database has rolled one of them back, even if that is the response to its
// commit. Retries wait with increasing delays, so that conflicting transactions don't meet again.

/** Serialization failure and deadlock. */
const CONFLICTS = new Set(['40001', '40P01']);
/** Milliseconds. The first repetition follows at once, the second one within the first pause. */
const PAUSE_MS = { first: 2, max: 32 };

export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(readErrorCode(error) ?? '');
}

/** Runs the work until it succeeds without a conflict, up to a number of attempts. Throws the last conflict. */
export async function repeatConflicts<T>(work: () => Promise<T>, attempts: number): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || attempt >= attempts) throw error;
      if (attempt > 1) await pause(Math.min(PAUSE_MS.first * 2 ** (attempt - 2), PAUSE_MS.max));
    }
  }
}

/** Throws StoreUnavailable in place of a conflict. */
export function throwUnavailable(error: unknown): never {
  if (!isConflict(error)) throw error;
  throw new StoreUnavailable('the database is too busy', { reason: 'busy', cause: error });
}

/** Waits for a random part of the time. */
function pause(maxMs: number): Promise<void> {
  return new Promise((resolve) => systemTimers.after(randomIds.fraction() * maxMs, resolve));
}
