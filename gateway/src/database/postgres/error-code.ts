import { StoreUnavailable } from '../store.ts';

/** A lock timeout. */
export const LOCK_TIMEOUT = '55P03';

/** PostgreSQL's error code, from the error or its cause. */
export function readErrorCode(error: unknown): string | undefined {
  if (error instanceof StoreUnavailable) return readErrorCode(error.cause);
  return (error as { code?: string } | undefined)?.code;
}
