/** What a verification is run with. */

/** How the answers come about: chosen by the `Prefer` header, as a mock does, or from what has been created. */
export type Mode = 'examples' | 'replay';

export interface Settings {
  /** Without a trailing slash. */
  baseUrl: string;
  /** API key, sent as a bearer token. */
  key: string;
  timeoutMs: number;
  mode: Mode;
  /** Makes the order ids of this run unlike those of any other. */
  runId: string;
  /** operationId; without it all operations are verified. */
  only?: string;
}

export const DEFAULT_TIMEOUT_MS = 10_000;
