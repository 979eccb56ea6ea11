import { StoreUnavailable } from '../store.ts';

/** A lock that couldn't be had in time. */
export const LOCK_TIMEOUT = '55P03';

/** PostgreSQL's code of an error, or of what has caused it. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof StoreUnavailable) return codeOf(error.cause);
  return (error as { code?: string } | undefined)?.code;
}
