/** All settings of the gateway: names, purpose, allowed values, and defaults. */

import type { ProxyHeader } from '../platform/proxy-headers.ts';
import { DEFAULT_LIMITS } from './default-limits.ts';
import {
  createKeysParser,
  integerBetween,
  parseBoolean,
  parseCallbackAllow,
  parseCidrs,
  parseFile,
  parseHost,
  parseHostNames,
  parseOrigins,
  parsePostgresUrl,
  parseProxyHeaders,
  parsePublicUrl,
  parseSandboxKey,
  parseSecrets,
} from './parsers.ts';

/**
 * A `switch` is an option without a value. A `secret` has no option, since every user of a machine can see the arguments
 * of its processes.
 */
type Kind = 'value' | 'switch' | 'secret';

export interface Setting<T> {
  readonly env: string;
  readonly flag: string;
  readonly value: string;
  readonly description: string;
  readonly allowed: string;
  readonly fallback: T;
  readonly kind: Kind;
  /** Returns undefined for a disallowed value, or throws an error with the reason. */
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

const integer = (
  env: string,
  value: string,
  fallback: number,
  [least, most]: readonly [least: number, most: number],
  description: string,
) => setting(env, value, fallback, `${least} to ${most}`, description, integerBetween(least, most));

const boolean = (env: string, fallback: boolean, description: string, kind?: Kind) =>
  setting(env, 'BOOLEAN', fallback, 'true or false', description, parseBoolean, kind);

/** A setting with enumerated values. The first is the default. */
const oneOf = <const T extends string>(
  env: string,
  value: string,
  options: readonly [T, ...T[]],
  description: string,
): Setting<T> =>
  setting(env, value, options[0], options.join(' or '), description, (text) =>
    options.find((option) => option === text),
  );

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** The settings; their names here are the names in `Config`. */
export const SETTINGS = {
  host: setting('HOST', 'ADDRESS', '127.0.0.1', 'an address or a host name', 'Address to listen on.', parseHost),
  port: integer('PORT', 'PORT', 4000, [0, 65_535], 'Port to listen on.'),
  publicUrl: setting(
    'PUBLIC_URL',
    'URL',
    '',
    'an http or https URL without credentials, query and fragment',
    'Base URL of the gateway for payers, for redirect_url. Defaults to the address that it listens on.',
    parsePublicUrl,
  ),
  allowedHosts: setting(
    'ALLOWED_HOSTS',
    'LIST',
    [] as readonly string[],
    'host names without ports, or *.example.com for subdomains, separated by commas',
    'Further host names of a gateway with a sandbox. It serves loopback names, HOST, the host of PUBLIC_URL and, if HOST is 0.0.0.0 or ::, every IP address. Requests for other names get 421.',
    parseHostNames,
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    'LIST',
    [] as readonly string[],
    'addresses or CIDRs, separated by commas',
    "Reverse proxies that forward the client's address in a header, such as 10.0.0.0/8. Without it, all clients behind a proxy share the limits of one address.",
    parseCidrs,
  ),
  proxyHeaders: setting(
    'PROXY_HEADERS',
    'LIST',
    ['x-forwarded-for', 'x-forwarded-proto'] as readonly ProxyHeader[],
    'x-forwarded-for, x-forwarded-proto, x-forwarded-host or forwarded, separated by commas',
    'Headers that the proxies of TRUST_PROXY set or remove. Clients can forge headers that the proxies pass on unchanged.',
    parseProxyHeaders,
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    'LIST',
    [] as readonly string[],
    '*, or origins such as http://localhost:5173, separated by commas',
    'Origins whose pages may call the API, for development. An API key never belongs in a browser in production.',
    parseOrigins,
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    'URL',
    '',
    'a postgres:// URL, in which special characters of the password are percent-encoded',
    'PostgreSQL database, shared by any number of gateways. Without it, the gateway uses an SQLite file.',
    parsePostgresUrl,
  ),
  databaseFile: setting(
    'DATABASE_FILE',
    'FILE',
    'data/payments.db',
    'a path',
    'SQLite file, for a single gateway.',
    parseFile,
  ),
  checkDatabase: oneOf(
    'CHECK_DATABASE',
    'EXTENT',
    ['none', 'quick'],
    'Check of the SQLite file at startup. With quick, the gateway reads every page, about a second per GB, and refuses to start if one is damaged. For PostgreSQL, use its data checksums.',
  ),
  migrate: boolean(
    'MIGRATE',
    true,
    'Migrate an older schema at startup. If false, the gateway refuses to start on an older schema, and you run payments-gateway migrate first. With LIVE, it defaults to false.',
  ),
  databaseConnections: integer(
    'DATABASE_CONNECTIONS',
    'NUMBER',
    10,
    [1, 1000],
    'Maximum number of connections to PostgreSQL.',
  ),
  databasePooler: oneOf(
    'DATABASE_POOLER',
    'MODE',
    ['session', 'transaction'],
    "Mode of the connection pooler in front of PostgreSQL, such as PgBouncer's pool_mode. Use session without a pooler.",
  ),
  databaseProfile: oneOf(
    'DATABASE_PROFILE',
    'NAME',
    ['postgres', 'portable'],
    "For a distributed database that speaks PostgreSQL's protocol, use portable (see GROWTH.md in the repository). All gateways and commands of a database need the same profile.",
  ),
  retentionDays: integer(
    'RETENTION_DAYS',
    'DAYS',
    DEFAULT_LIMITS.retentionDays,
    [0, 3_650],
    'Days to keep delivered and abandoned webhooks. 0 keeps them forever.',
  ),
  callbackAllow: setting(
    'CALLBACK_ALLOW',
    'LIST',
    [] as readonly string[],
    'CIDRs or host names, separated by commas',
    'Private addresses that webhooks may be sent to, such as 127.0.0.0/8. Public addresses are always allowed.',
    parseCallbackAllow,
  ),
  config: setting(
    'CONFIG',
    'FILE',
    '',
    'a path',
    'File with the methods and their channels, such as gateway.config.ts (docs/channels.md). Without it, channels are simulated. Required with LIVE.',
    parseFile,
  ),
  live: boolean(
    'LIVE',
    false,
    'Move real money: accept only sk_live_ keys, and refuse to start with simulated channels or unencrypted signing secrets. Set it for a live database, and only for a live database.',
    'switch',
  ),
  seed: setting(
    'SEED',
    'TEXT',
    '',
    'a text',
    "Generate ids, payment page links and the demo merchant's signing secret from this text, to repeat test runs. Ids also contain the time. Not with LIVE.",
    (text) => text || undefined,
  ),
  sandbox: boolean(
    'SANDBOX',
    true,
    'Serve the sandbox API, and its controls in the console. The sandbox records requests and attempts, so disable it for load tests. Not with LIVE.',
  ),
  console: boolean(
    'CONSOLE',
    true,
    'Serve the console at /console, with LIVE too. It shows the data that the key of the merchant or operator can access.',
  ),
  sandboxKey: setting(
    'SANDBOX_KEY',
    'KEY',
    '',
    '16 to 255 characters without spaces, such as the output of: openssl rand -hex 24',
    'Key for creating merchants in the sandbox. Required if HOST is not loopback, unless SANDBOX_OPEN is set.',
    parseSandboxKey,
    'secret',
  ),
  sandboxOpen: boolean(
    'SANDBOX_OPEN',
    false,
    'If HOST is not loopback, let everyone who can reach it create merchants in the sandbox, without SANDBOX_KEY.',
  ),
  sandboxMerchantsMax: integer(
    'SANDBOX_MERCHANTS_MAX',
    'NUMBER',
    1_000,
    [1, 1_000_000],
    'Maximum number of merchants created with the sandbox API. More get 429.',
  ),
  sandboxMerchantDays: integer(
    'SANDBOX_MERCHANT_DAYS',
    'DAYS',
    7,
    [0, 3_650],
    'Days until a merchant created with the sandbox API is deleted. 0 keeps it forever.',
  ),
  secretsKey: setting(
    'SECRETS_KEY',
    'KEY',
    [] as readonly Buffer[],
    '32 random bytes in base64, such as the output of: openssl rand -base64 32',
    'Key that encrypts signing secrets and personal data in the database. Without it, they are stored in the clear.',
    createKeysParser(1),
    'secret',
  ),
  secretsKeyPrevious: setting(
    'SECRETS_KEY_PREVIOUS',
    'LIST',
    [] as readonly Buffer[],
    'former and next values of SECRETS_KEY, separated by commas',
    'Keys that only decrypt, while you replace SECRETS_KEY.',
    createKeysParser(8),
    'secret',
  ),
  channelSecrets: setting(
    'CHANNEL_SECRETS',
    'LIST',
    [] as readonly (readonly [channel: string, secret: string])[],
    'CHANNEL=SECRET pairs, separated by commas, with secrets of 16 to 255 characters',
    'Secrets that authenticate notifications of simulated channels, such as upi-standard=<secret>. Notifications of other channels are refused. Not with CONFIG, whose channels authenticate their own notifications.',
    parseSecrets,
    'secret',
  ),
  logLevel: setting('LOG_LEVEL', 'LEVEL', 'info', LEVELS.join(', '), 'Least severe level to log.', (text) =>
    LEVELS.includes(text) ? text : undefined,
  ),
  bodyBytesMax: integer(
    'BODY_BYTES_MAX',
    'BYTES',
    DEFAULT_LIMITS.bodyBytesMax,
    [1_024, 1_048_576],
    'Maximum size of a request body.',
  ),
  requestsPerSecond: integer(
    'REQUESTS_PER_SECOND',
    'NUMBER',
    DEFAULT_LIMITS.requestsPerSecond,
    [1, 1_000_000],
    'Requests per second for each API key, and for each address without a valid key or on the payment pages. More get 429.',
  ),
  connectionsMax: integer('CONNECTIONS_MAX', 'NUMBER', 10_000, [1, 1_000_000], 'Maximum number of open connections.'),
  connectionsPerAddress: integer(
    'CONNECTIONS_PER_ADDRESS',
    'NUMBER',
    0,
    [0, 1_000_000],
    'Maximum number of open connections per address. Loopback and trusted proxies are exempt. 0 means a tenth of CONNECTIONS_MAX.',
  ),
  keepAliveMs: integer(
    'KEEP_ALIVE_MS',
    'MS',
    72_000,
    [1_000, 600_000],
    'Milliseconds that an idle connection stays open after a response. Set it above the idle timeout of a proxy in front.',
  ),
  headerTimeoutMs: integer(
    'HEADER_TIMEOUT_MS',
    'MS',
    10_000,
    [100, 600_000],
    'Milliseconds to wait for the headers of a request.',
  ),
  requestTimeoutMs: integer(
    'REQUEST_TIMEOUT_MS',
    'MS',
    30_000,
    [100, 600_000],
    'Milliseconds to wait for a complete request.',
  ),
  drainMs: integer(
    'DRAIN_MS',
    'MS',
    0,
    [0, 600_000],
    'Milliseconds to serve requests after the stop signal, while /health/ready is 503 so that load balancers notice. With LIVE, it defaults to 5000.',
  ),
  shutdownMs: integer(
    'SHUTDOWN_MS',
    'MS',
    10_000,
    [0, 600_000],
    'Milliseconds to finish requests and background work at shutdown.',
  ),
};

export type GatewayConfig = { readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K]['fallback'] };

/** Every setting at its default. */
export const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).map(([key, { fallback }]) => [key, fallback]),
) as GatewayConfig;

/** The name of a setting in `Config`. */
export type SettingName = keyof typeof SETTINGS;
type Name = SettingName;

/** Settings that select the database, for commands that need no others. */
export const DATABASE_SETTINGS = [
  'databaseUrl',
  'databaseFile',
  'databasePooler',
  'databaseProfile',
] as const satisfies readonly Name[];

/** Of each of these, at most one may be set. */
export const EXCLUSIVE: readonly (readonly Name[])[] = [['databaseUrl', 'databaseFile']];

/** Settings that require another one. If it is missing, it was forgotten or misspelled. */
export const NEEDS: readonly (readonly [setting: Name, needed: Name])[] = [
  ['databaseConnections', 'databaseUrl'],
  ['databasePooler', 'databaseUrl'],
  ['databaseProfile', 'databaseUrl'],
  ['live', 'secretsKey'],
  ['secretsKeyPrevious', 'secretsKey'],
];

/** Of two limits, the first has no effect above the second. */
export const ASCENDING = [
  ['connectionsPerAddress', 'connectionsMax'],
  ['headerTimeoutMs', 'requestTimeoutMs'],
] as const satisfies readonly (readonly [low: Name, high: Name])[];

/** Defaults under `live`, behind a load balancer. */
export const LIVE_DEFAULTS: NodeJS.ProcessEnv = { DRAIN_MS: '5000', SANDBOX: 'false', MIGRATE: 'false' };
