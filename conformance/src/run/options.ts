/** Options of the kit, from flags, a config file or code, and the settings of a run that follow from them. */
import { randomBytes, randomInt } from 'node:crypto';
import { UserError } from '../../../contract/src/cli.ts';
import { PLACEHOLDER_KEY } from '../../../contract/src/mock/placeholders.ts';
import type { OwnCheck } from '../core/own-check.ts';
import {
  DEFAULT_TIMEOUT_MS,
  LEVELS,
  type Level,
  type Profile,
  requireSecret,
  type Settings,
} from '../core/settings.ts';
import type { Driver } from '../drivers/driver.ts';

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

export const DEFAULT_WALKS = 8;
export const DEFAULT_REQUESTS_MAX = 10_000;
export const DEFAULT_AMOUNT_MAX = 1_000_000_000;
/** In seconds. */
export const DEFAULT_TIME_MAX = 900;
/** In seconds. */
export const DEFAULT_TIME_MAX_FAILING = 60;
const SEED_MAX = 2 ** 31;

/** The settings of a run, with the defaults filled in. */
export function toSettings(options: ConformanceOptions): Settings {
  const { name, key, secondKey, secret, secondSecret, timeoutMs, levels, seed, walks } = options;
  for (const one of [secret, secondSecret]) if (one !== undefined) requireSecret(one);
  if (secondKey !== undefined && secondKey === key) {
    throw new UserError('--second-key is the same as --key. Set it to the API key of another merchant.', 2);
  }
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    ...(name !== undefined && { name }),
    key: key ?? PLACEHOLDER_KEY,
    ...(secondKey !== undefined && { secondKey }),
    ...(secret !== undefined && { secret }),
    ...(secondSecret !== undefined && { secondSecret }),
    timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
    levels: levels ?? LEVELS,
    runId: randomBytes(4).toString('hex'),
    seed: seed ?? randomInt(SEED_MAX),
    walks: walks ?? DEFAULT_WALKS,
    ...(options.maxResponseTime !== undefined && { responseMsMax: options.maxResponseTime }),
    ownChecks: options.checks ?? [],
  };
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
