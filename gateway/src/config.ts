/** Every setting of the gateway in one typed place: from options, then the environment, then the default. */

import { type CommandLine, UserError } from '../../contract/src/cli.ts';
import { parseCidr } from './platform/cidr.ts';
import { parseKey } from './platform/key-ring.ts';
import { createGuard } from './webhooks/guard.ts';

/**
 * A `switch` is an option without a value. A `secret` has no option, since every user of a machine can see the arguments
 * of its processes.
 */
type Kind = 'value' | 'switch' | 'secret';

interface Setting<T> {
  readonly env: string;
  readonly flag: string;
  readonly value: string;
  readonly description: string;
  readonly allowed: string;
  readonly fallback: T;
  readonly kind: Kind;
  /** Returns undefined for what is not allowed, or throws an error that says why. */
  readonly parse: (text: string) => T | undefined;
}

const setting = <T>(
  env: string,
  value: string,
  fallback: T,
  allowed: string,
  description: string,
  parse: Setting<T>['parse'],
  kind: Kind = 'value',
): Setting<T> => ({
  env,
  flag: env.toLowerCase().replaceAll('_', '-'),
  value,
  fallback,
  allowed,
  description,
  parse,
  kind,
});

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** The settings; their names here are the names in `Config`. */
export const SETTINGS = {
  host: setting(
    'HOST',
    'ADDRESS',
    '127.0.0.1',
    'an address or a host name',
    'Address to listen on.',
    (text) => text || undefined,
  ),
  port: setting('PORT', 'PORT', 4000, '0 to 65535', 'Port to listen on.', whole(0, 65_535)),
  publicUrl: setting(
    'PUBLIC_URL',
    'URL',
    '',
    'an http or https URL without credentials, query and fragment',
    'Base URL at which payers reach the gateway, for redirect_url. Defaults to the address that it listens on.',
    publicUrl,
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    'LIST',
    [] as readonly string[],
    'addresses or CIDRs, separated by commas',
    'Reverse proxies whose X-Forwarded-For header names the client, such as 10.0.0.0/8. Without them, every client behind a proxy shares its limits.',
    cidrs,
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    'LIST',
    [] as readonly string[],
    '*, or origins such as http://localhost:5173, separated by commas',
    'Origins whose pages may call the API, for development. An API key never belongs in a browser in production.',
    origins,
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    'URL',
    '',
    'a postgres:// URL, in which special characters of the password are percent-encoded',
    'PostgreSQL database, which any number of gateways can share. Without it, the gateway uses an SQLite file.',
    postgresUrl,
  ),
  databaseFile: setting(
    'DATABASE_FILE',
    'FILE',
    'data/payments.db',
    'a path',
    'SQLite file, for a single gateway.',
    (text) => text || undefined,
  ),
  databaseConnections: setting(
    'DATABASE_CONNECTIONS',
    'NUMBER',
    10,
    '1 to 1000',
    'Maximum number of connections to PostgreSQL.',
    whole(1, 1000),
  ),
  retentionDays: setting(
    'RETENTION_DAYS',
    'DAYS',
    30,
    '0 to 3650',
    'Days to keep delivered and abandoned webhooks. 0 keeps them forever.',
    whole(0, 3_650),
  ),
  callbackAllow: setting(
    'CALLBACK_ALLOW',
    'LIST',
    [] as readonly string[],
    'CIDRs or host names, separated by commas',
    'Private addresses that webhooks may be sent to, such as 127.0.0.0/8. Public addresses are always allowed.',
    callbackAllow,
  ),
  live: setting(
    'LIVE',
    'BOOLEAN',
    false,
    'true or false',
    'Accept sk_live_ keys only, and refuse to start unless signing secrets are encrypted.',
    (text) => ({ true: true, false: false })[text],
    'switch',
  ),
  seed: setting(
    'SEED',
    'TEXT',
    '',
    'a text',
    "Make ids, payment page links and the demo merchant's signing secret from this text, so that test runs can be repeated. Not with LIVE.",
    (text) => text || undefined,
  ),
  sandbox: setting(
    'SANDBOX',
    'BOOLEAN',
    true,
    'true or false',
    'Offer the sandbox API and the console. They record requests and attempts, so load tests are faster without them. Never with LIVE.',
    (text) => ({ true: true, false: false })[text],
  ),
  secretsKey: setting(
    'SECRETS_KEY',
    'KEY',
    [] as readonly Buffer[],
    '32 random bytes in base64, such as the output of: openssl rand -base64 32',
    'Key that encrypts signing secrets in the database. Without it, they are stored in the clear.',
    keys(1),
    'secret',
  ),
  secretsKeyPrevious: setting(
    'SECRETS_KEY_PREVIOUS',
    'LIST',
    [] as readonly Buffer[],
    'former values of SECRETS_KEY, separated by commas',
    'Keys that only decrypt, until `payments-gateway secret reencrypt` has replaced them.',
    keys(8),
    'secret',
  ),
  channelSecrets: setting(
    'CHANNEL_SECRETS',
    'LIST',
    [] as readonly (readonly [channel: string, secret: string])[],
    'CHANNEL=SECRET pairs, separated by commas, with secrets of 16 to 255 characters',
    'Secrets with which channels authenticate their notifications, such as upi-standard=<secret>. Notifications of other channels are refused.',
    secrets,
    'secret',
  ),
  logLevel: setting('LOG_LEVEL', 'LEVEL', 'info', LEVELS.join(', '), 'Least severe level to log.', (text) =>
    LEVELS.includes(text) ? text : undefined,
  ),
  bodyBytesMax: setting(
    'BODY_BYTES_MAX',
    'BYTES',
    65_536,
    '1024 to 1048576',
    'Maximum size of a request body.',
    whole(1_024, 1_048_576),
  ),
  requestsPerSecond: setting(
    'REQUESTS_PER_SECOND',
    'NUMBER',
    1_000,
    '1 to 1000000',
    'Requests per second of one API key, and of one address without a valid key or on the payment pages. More get 429.',
    whole(1, 1_000_000),
  ),
  connectionsMax: setting(
    'CONNECTIONS_MAX',
    'NUMBER',
    10_000,
    '1 to 1000000',
    'Maximum number of open connections.',
    whole(1, 1_000_000),
  ),
  connectionsPerAddress: setting(
    'CONNECTIONS_PER_ADDRESS',
    'NUMBER',
    0,
    '0 to 1000000',
    'Maximum number of open connections of one address. Loopback and trusted proxies are exempt. 0 means a tenth of CONNECTIONS_MAX.',
    whole(0, 1_000_000),
  ),
  keepAliveMs: setting(
    'KEEP_ALIVE_MS',
    'MS',
    72_000,
    '1000 to 600000',
    'Milliseconds that an idle connection stays open after a response. Keep it above the idle timeout of a proxy in front.',
    whole(1_000, 600_000),
  ),
  headerTimeoutMs: setting(
    'HEADER_TIMEOUT_MS',
    'MS',
    10_000,
    '100 to 600000',
    'Milliseconds to wait for the headers of a request.',
    whole(100, 600_000),
  ),
  requestTimeoutMs: setting(
    'REQUEST_TIMEOUT_MS',
    'MS',
    30_000,
    '100 to 600000',
    'Milliseconds to wait for a complete request.',
    whole(100, 600_000),
  ),
  drainMs: setting(
    'DRAIN_MS',
    'MS',
    0,
    '0 to 600000',
    'Milliseconds to keep serving requests after the signal to stop, while /health/ready is 503 so that load balancers notice. With LIVE, it defaults to 5000.',
    whole(0, 600_000),
  ),
  shutdownMs: setting(
    'SHUTDOWN_MS',
    'MS',
    10_000,
    '0 to 600000',
    'Milliseconds to finish requests and background work when the gateway is stopped.',
    whole(0, 600_000),
  ),
};

/** The values of the settings. */
export type Config = { readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K]['fallback'] };

/** Its value may contain a password or another secret, so it is never shown. */
function isHidden({ env, kind }: Setting<unknown>): boolean {
  return kind === 'secret' || env === 'DATABASE_URL';
}

/** Every setting at its default. */
export const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).map(([key, { fallback }]) => [key, fallback]),
) as Config;

/** The name of a setting in `Config`. */
export type SettingName = keyof typeof SETTINGS;
type Name = SettingName;

/** The settings that select the database, for commands that need nothing else. */
export const DATABASE_SETTINGS = ['databaseUrl', 'databaseFile'] as const satisfies readonly Name[];

/** Of each of these, at most one may be set. */
export const EXCLUSIVE: readonly (readonly Name[])[] = [DATABASE_SETTINGS];

/** Settings that have no effect without another one, which has then been forgotten or misspelled. */
export const NEEDS: readonly (readonly [setting: Name, needed: Name])[] = [
  ['databaseConnections', 'databaseUrl'],
  ['live', 'secretsKey'],
  ['secretsKeyPrevious', 'secretsKey'],
];

/** Defaults under `live`, where a load balancer is in front. */
export const LIVE_DEFAULTS: NodeJS.ProcessEnv = { DRAIN_MS: '5000', SANDBOX: 'false' };

/** Adds the settings to a command as options. Their values stay strings until `readConfig` parses them. */
export function addSettings(
  command: CommandLine,
  names: readonly Name[] = Object.keys(SETTINGS) as Name[],
  defaults: NodeJS.ProcessEnv = {},
): CommandLine {
  for (const name of names) {
    const { flag, value, env, description, fallback, kind } = SETTINGS[name];
    if (kind === 'secret') continue;
    const byDefault = defaults[env] ?? String(fallback);
    const sources = [`env: ${env}`, ...(byDefault === '' ? [] : [`default: ${byDefault}`])];
    const argument = kind === 'switch' ? '' : ` <${value.toLowerCase()}>`;
    command.option(`--${flag}${argument}`, `${description} (${sources.join(', ')})`);
  }
  return command;
}

/** Values of options, under the names of their settings. A switch that is given is true. */
export type Flags = { readonly [K in Name]?: string | true };

/** Reads the settings. Throws a UserError with the name, the value and what is allowed for the first that is wrong. */
export function readConfig(
  flags: Flags,
  env: NodeJS.ProcessEnv = process.env,
  defaults: NodeJS.ProcessEnv = {},
): Config {
  const isLive = (flags.live?.toString() ?? env[SETTINGS.live.env]) === 'true';
  const others = isLive ? { ...LIVE_DEFAULTS, ...defaults } : defaults;
  const given = (name: Name) => flags[name]?.toString() ?? (env[SETTINGS[name].env] || others[SETTINGS[name].env]);
  const source = (name: Name) => (flags[name] === undefined ? SETTINGS[name].env : `--${SETTINGS[name].flag}`);
  for (const [name, needed] of NEEDS) {
    if ([undefined, 'false'].includes(given(name)) || given(needed) !== undefined) continue;
    const [here, missing] = [source(name), SETTINGS[needed].env];
    throw new UserError(`${here} is set, but ${missing} is not. Set ${missing}, or remove ${here}.`, 2);
  }
  const ignored = new Set(EXCLUSIVE.flatMap((names) => overridden(names.filter(given), flags, source)));
  const read = (name: Name): unknown => {
    const setting = SETTINGS[name] as Setting<unknown>;
    const { fallback, parse, allowed } = setting;
    const text = given(name);
    if (text === undefined || ignored.has(name)) return fallback;
    const problem = isHidden(setting) ? 'is invalid' : `is '${text}'`;
    const refuse = (reason = '') => new UserError(`${source(name)} ${problem}. It must be ${allowed}.${reason}`, 2);
    try {
      const parsed = parse(text);
      if (parsed !== undefined) return parsed;
    } catch (error) {
      throw refuse(`\n${(error as Error).message}.`);
    }
    throw refuse();
  };
  return Object.fromEntries((Object.keys(SETTINGS) as Name[]).map((name) => [name, read(name)])) as Config;
}

/** Of settings that exclude each other, those of the environment that an option overrides. */
function overridden(given: readonly Name[], flags: Flags, source: (name: Name) => string): readonly Name[] {
  const options = given.filter((name) => flags[name] !== undefined);
  const effective = options.length > 0 ? options : given;
  if (effective.length > 1)
    throw new UserError(`${effective.map(source).join(' and ')} are both set. Set only one.`, 2);
  return given.filter((name) => !effective.includes(name));
}

function whole(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const number = Number(text);
    return /^\d+$/.test(text) && number >= min && number <= max ? number : undefined;
  };
}

function publicUrl(text: string): string | undefined {
  // The paths of payment pages are appended to it.
  if (!/^https?:\/\/[^/]/.test(text) || /[?#]/.test(text) || !URL.canParse(text)) return undefined;
  const { href, username, password } = new URL(text);
  return username + password === '' ? href.replace(/\/+$/, '') : undefined;
}

/** An `@` after the host is of a password that isn't encoded, and whose parts would be shown as host and database. */
function postgresUrl(text: string): string | undefined {
  const url = /^postgres(ql)?:\/\//.test(text) ? URL.parse(text) : null;
  if (!url || /@/.test(`${url.pathname}${url.search}${url.hash}`)) return undefined;
  try {
    decodeURIComponent(`${url.username}${url.password}${url.pathname}`);
    return text;
  } catch {
    return undefined;
  }
}

/** From one key to `max` of them. */
function keys(max: number): (text: string) => readonly Buffer[] | undefined {
  return (text) => {
    const parsed = entriesOf(text).map(parseKey);
    return parsed.length <= max && parsed.every((key) => key !== undefined) ? parsed : undefined;
  };
}

function secrets(text: string): readonly (readonly [string, string])[] | undefined {
  const pairs = text.split(',').map((pair) => /^\s*([^=\s]+)=([\x21-\x7e]{16,255})\s*$/.exec(pair));
  const found = pairs.flatMap((pair) => (pair ? [[pair[1] ?? '', pair[2] ?? ''] as const] : []));
  return found.length === pairs.length ? found : undefined;
}

function callbackAllow(text: string): readonly string[] {
  const allow = entriesOf(text);
  createGuard({ allow });
  return allow;
}

function cidrs(text: string): readonly string[] {
  const entries = entriesOf(text);
  entries.forEach(parseCidr);
  return entries;
}

function entriesOf(text: string): readonly string[] {
  return text.split(',').map((entry) => entry.trim());
}

function origins(text: string): readonly string[] | undefined {
  if (text === '*') return [text];
  const entries = text.split(',').map((entry) => entry.trim());
  const isOrigin = (entry: string) =>
    /^https?:[^*]+$/.test(entry) && URL.canParse(entry) && new URL(entry).origin === entry;
  return entries.every(isOrigin) ? entries : undefined;
}
