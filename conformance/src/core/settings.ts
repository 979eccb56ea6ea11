/** Options of the kit, from flags, a config file or code, and the settings of a run derived from them. */

import { randomBytes, randomInt } from 'node:crypto';
import { UserError } from '../../../contract/src/cli.ts';
import { PLACEHOLDER_KEY } from '../../../contract/src/mock/placeholders.ts';
import type { Json, JsonObject } from '../../../contract/src/model.ts';
import type { Driver, PaymentGoal, PayoutGoal } from '../drivers/driver.ts';

/** Levels that an implementer can claim. */
export const LEVELS = ['payments-h2h', 'payments-redirect', 'payouts', 'webhooks', 'repeat-safety'] as const;
export type Level = (typeof LEVELS)[number];

/** The binding statements: the whole document, or only the source's. */
export const PROFILES = ['document', 'source'] as const;
export type Profile = (typeof PROFILES)[number];

/** Throws a UserError for text in another form than a signing secret. The message doesn't repeat it. */
export function requireSecret(secret: string): void {
  if (/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) return;
  throw new UserError("The secret is not a signing secret. Use the service's own: whsec_ and base64.", 2);
}

/** A check in a module of the user's, whose export `checks` is a list of them. */
export interface OwnCheck {
  /** Unique in the module. Reports put `own/` before it. */
  readonly id: string;
  /** Behavior of the service, in the present tense. */
  readonly title: string;
  /** Resolves with the violations, empty if the service conforms. */
  run(service: OwnService): Promise<readonly OwnFinding[]>;
}

export interface OwnFinding {
  readonly at: string;
  readonly expected: string;
  readonly found: string;
}

/** The service, for a check of the user's. Requests have the API key, and count against the limits of the run. */
export interface OwnService {
  request(
    method: string,
    path: string,
    options?: { readonly body?: Json; readonly key?: string | null },
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly body: Json | undefined }>;
  /** Drives a payment to the goal. Returns the service's last response about it. */
  payment(goal: PaymentGoal): Promise<JsonObject>;
  payout(goal: PayoutGoal): Promise<JsonObject>;
}

export interface WebhookOptions {
  /** Address on which the kit listens for webhooks. Defaults to 127.0.0.1. */
  readonly host?: string;
  /** Defaults to a free port. */
  readonly port?: number;
  /** Base URL at which the service reaches the kit, such as a tunnel or a proxy with TLS. */
  readonly url?: string;
}

export interface ConformanceOptions {
  readonly baseUrl: string;
  /** Name of the service in reports, such as `payments-gateway 1.4`. */
  readonly name?: string;
  /** API key, sent as a bearer token. */
  readonly key?: string;
  /** API key of another merchant, to check that merchants are kept apart. */
  readonly secondKey?: string;
  /** Signing secret of the webhooks, such as `whsec_…`. */
  readonly secret?: string;
  /** Signing secret of the other merchant. */
  readonly secondSecret?: string;
  /** Headers sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly webhook?: WebhookOptions;
  /** The driver for this service: `gateway`, `prism` or your own. Detected by default. */
  readonly driver?: string | Driver;
  /** Levels that the service claims. Defaults to all. */
  readonly levels?: readonly Level[];
  /** Runs only these checks: ids, their beginnings, operations, tags or levels. Defaults to all. */
  readonly only?: readonly string[];
  /** Leaves these checks out: ids, their beginnings, operations, tags or levels. */
  readonly skip?: readonly string[];
  /**
   * The binding statements: `document` for a service that implements this contract, or `source` for one that knows only the
   * source. Defaults to `document`.
   */
  readonly profile?: Profile;
  /** Version of the contract whose requirements count. Defaults to the newest. */
  readonly contractVersion?: string;
  /** Path of the file of known failures. */
  readonly knownFailures?: string;
  /** Whether a known failure that passes fails the run. */
  readonly strictKnownFailures?: boolean;
  /** Milliseconds to wait for a response, a change of status, or a webhook. */
  readonly timeoutMs?: number;
  /** Seed of the random walks and texts. */
  readonly seed?: number;
  /** Number of random walks. */
  readonly walks?: number;
  /** Requests that the run may send. */
  readonly maxRequests?: number;
  /** Maximum sum of the run's transactions in each currency, in minor units. */
  readonly maxAmount?: number;
  /** Seconds after which the run sends no more requests. */
  readonly maxTime?: number;
  /** Seconds after which a run with a failed check ends. */
  readonly maxTimeFailing?: number;
  /** Milliseconds that a response may take. Defaults to no limit. */
  readonly maxResponseTime?: number;
  /** Checks of your own. */
  readonly checks?: readonly OwnCheck[];
  /** Ends the run with the first such check. */
  readonly stopAtFirst?: boolean;
}

/** Times are in seconds, unless the name has the unit. */
export const DEFAULTS = {
  key: PLACEHOLDER_KEY,
  headers: {},
  levels: LEVELS,
  timeoutMs: 10_000,
  walks: 8,
  maxRequests: 10_000,
  maxAmount: 1_000_000_000,
  maxTime: 900,
  maxTimeFailing: 60,
  checks: [],
} satisfies Partial<ConformanceOptions>;
const SEED_MAX = 2 ** 31;

/** The options of a run with the defaults filled in. The base URL has no trailing slash. */
export type Settings = ConformanceOptions &
  Required<Pick<ConformanceOptions, keyof typeof DEFAULTS | 'seed'>> & {
    /** Part of the order IDs of the run. */
    readonly runId: string;
  };

export function toSettings(options: ConformanceOptions): Settings {
  const { baseUrl, key, secondKey, secret, secondSecret } = options;
  for (const one of [secret, secondSecret]) if (one !== undefined) requireSecret(one);
  if (secondKey !== undefined && secondKey === key) {
    throw new UserError('--second-key is the same as --key. Set it to the API key of another merchant.', 2);
  }
  return {
    ...DEFAULTS,
    seed: randomInt(SEED_MAX),
    ...defined(options),
    baseUrl: readBaseUrl(baseUrl),
    runId: randomBytes(4).toString('hex'),
  };
}

export function defined<T extends object>(values: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

/** The base URL without a trailing slash. Throws a UserError when it is none. */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  if (!plain) {
    throw new UserError(`'${text}' is not a base URL. Use one such as http://127.0.0.1:4010 or https://host/path.`, 2);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
