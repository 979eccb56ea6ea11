/** Default limits of every gateway. */
export const DEFAULT_LIMITS = {
  bodyBytesMax: 65_536,
  /** Of one API key. */
  requestsPerSecond: 1_000,
  retentionDays: 30,
};
