/** For a response without a valid Retry-After. */
const DEFAULT_MS = 1_000;

/** Retry-After in milliseconds, from seconds or an HTTP date. */
export function retryAfterMs(header: string | null): number {
  if (header === null) return DEFAULT_MS;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? DEFAULT_MS : Math.max(0, ms);
}
