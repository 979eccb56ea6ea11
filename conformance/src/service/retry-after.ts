/** For a response without a valid Retry-After. */
const DEFAULT_MS = 1_000;

/** Retry-After in milliseconds: seconds, or a date by the clock of the service, which Date shows. */
export function retryAfterMs(headers: Headers): number {
  const value = headers.get('retry-after') ?? '';
  const sentAt = Date.parse(headers.get('date') ?? '') || Date.now();
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - sentAt;
  return Number.isNaN(ms) ? DEFAULT_MS : Math.max(0, ms);
}
