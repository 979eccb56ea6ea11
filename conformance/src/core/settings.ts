/** Settings of a run. */
import { UserError } from '../../../contract/src/cli.ts';
import type { OwnCheck } from './own-check.ts';

/** Levels that an implementer can claim. */
export const LEVELS = ['payments-h2h', 'payments-redirect', 'payouts', 'webhooks', 'repeat-safety'] as const;
export type Level = (typeof LEVELS)[number];

/** The binding statements: the whole document, or only the source's. */
export const PROFILES = ['document', 'source'] as const;
export type Profile = (typeof PROFILES)[number];

export interface Settings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Name of the service in reports. */
  readonly name?: string;
  /** API key, sent as a bearer token. */
  readonly key: string;
  /** Key of another merchant. */
  readonly secondKey?: string;
  /** Signing secret of the webhooks. */
  readonly secret?: string;
  /** That of the other merchant. */
  readonly secondSecret?: string;
  /** Milliseconds to wait for a response, a change of status, or a webhook. */
  readonly timeoutMs: number;
  readonly levels: readonly Level[];
  /** Part of the order IDs of the run. */
  readonly runId: string;
  readonly seed: number;
  readonly walks: number;
  /** Milliseconds that a response may take. Defaults to no limit. */
  readonly responseMsMax?: number;
  /** The user's. */
  readonly ownChecks: readonly OwnCheck[];
}

export const DEFAULT_TIMEOUT_MS = 10_000;

/** Throws a UserError for text in another form than a signing secret. The message doesn't repeat it. */
export function requireSecret(secret: string): void {
  if (/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) return;
  throw new UserError("The secret is not a signing secret. Use the service's own: whsec_ and base64.", 2);
}
