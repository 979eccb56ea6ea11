/** What a run is made with. */

/** What an implementer can claim. */
export const LEVELS = ['payments-h2h', 'payments-redirect', 'payouts', 'webhooks', 'repeat-safety'] as const;
export type Level = (typeof LEVELS)[number];

export interface Settings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** API key, sent as a bearer token. */
  readonly key: string;
  /** Key of another merchant. */
  readonly secondKey?: string;
  /** Signing secret of the webhooks. */
  readonly secret?: string;
  /** Milliseconds to wait for a response, a change of status, or a webhook. */
  readonly timeoutMs: number;
  readonly levels: readonly Level[];
  /** Part of the order IDs of the run. */
  readonly runId: string;
  readonly seed: number;
  readonly walks: number;
}

export const DEFAULT_TIMEOUT_MS = 10_000;
