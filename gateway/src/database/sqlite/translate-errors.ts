/** Translates SQLite's errors to `StoreUnavailable`, with a reason. */
import { StoreUnavailable, type UnavailableReason } from '../store.ts';

/** By SQLite's primary result code (https://www.sqlite.org/rescode.html). */
const REASONS: Readonly<Record<number, readonly [UnavailableReason, message: string]>> = {
  5: ['busy', 'another process keeps the database locked'],
  6: ['busy', 'another process keeps the database locked'],
  8: ['read_only', 'the database is read-only'],
  10: ['disk_failed', 'the disk has failed'],
  11: ['damaged', 'the database is damaged'],
  13: ['disk_full', 'the disk is full'],
  14: ['disk_failed', 'a file of the database cannot be opened'],
  26: ['damaged', 'the database is damaged'],
};

/** Whether an error says that a page or the file's header is damaged. */
export function isDamage(error: unknown): boolean {
  const translated = translateError(error);
  return translated instanceof StoreUnavailable && translated.reason === 'damaged';
}

/** StoreUnavailable for an error that isn't the statement's own; any other error unchanged. */
export function translateError(error: unknown): unknown {
  const { errcode = 0 } = error as { errcode?: number };
  // An extended result code has the primary one in its lowest byte.
  const [reason, message] = REASONS[errcode & 0xff] ?? [];
  return reason && message ? new StoreUnavailable(message, { reason, cause: error }) : error;
}
