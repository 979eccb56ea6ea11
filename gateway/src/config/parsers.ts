/** Parsers of settings. Each returns undefined for a disallowed text, or throws an error with the reason. */
import { isIP } from 'node:net';
import { pathMistake } from '../../../contract/src/path-mistake.ts';
import { parseCidr } from '../platform/cidr.ts';
import { parseKey } from '../platform/key-ring.ts';
import { PROXY_HEADERS, type ProxyHeader } from '../platform/proxy-headers.ts';
import { createGuard } from '../webhooks/guard.ts';

const HOST_NAME = /^(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

export function integerBetween(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const number = Number(text);
    return /^\d+$/.test(text) && number >= min && number <= max ? number : undefined;
  };
}

export function parsePublicUrl(text: string): string | undefined {
  // The paths of payment pages are appended to it.
  if (!/^https?:\/\/[^/]/.test(text) || /[?#]/.test(text) || !URL.canParse(text)) return undefined;
  const { href, username, password } = new URL(text);
  return username + password === '' ? href.replace(/\/+$/, '') : undefined;
}

/** Supported parameters. The driver ignores others, and treats an unknown `sslmode` as `verify-full`. */
const DATABASE_PARAMETERS: Readonly<Record<string, RegExp>> = {
  application_name: /./,
  host: /./,
  options: /./,
  password: /./,
  port: /^\d+$/,
  sslcert: /./,
  sslkey: /./,
  sslmode: /^(disable|no-verify|prefer|require|verify-ca|verify-full)$/,
  sslnegotiation: /^(direct|postgres)$/,
  sslrootcert: /./,
  uselibpqcompat: /^(true|false)$/,
  user: /./,
};
const CONNECTIONS = 'Set DATABASE_CONNECTIONS instead';
const SCHEMA = 'For another schema than public, write options=-c%20search_path%3DNAME';
const SSL = 'Write sslmode=verify-full or sslmode=disable';
const POOLER = 'Set DATABASE_POOLER=transaction instead';
/** Alternatives to parameters of other drivers. */
const INSTEAD: Readonly<Record<string, string>> = {
  connection_limit: CONNECTIONS,
  currentSchema: SCHEMA,
  max: CONNECTIONS,
  pgbouncer: POOLER,
  pool_size: CONNECTIONS,
  schema: SCHEMA,
  search_path: SCHEMA,
  ssl: SSL,
};

/** An `@` after the host belongs to an unencoded password, parts of which would be shown as host and database. */
export function parsePostgresUrl(text: string): string | undefined {
  const url = /^postgres(ql)?:\/\//.test(text) ? URL.parse(text) : null;
  if (!url || /@/.test(`${url.pathname}${url.search}${url.hash}`)) return undefined;
  if (url.hash) throw new Error("Nothing reads the part after '#'. In a password, write %23");
  if (url.hostname.includes(',')) throw new Error('It names several hosts. Name one, which leads to the primary');
  for (const [name, value] of url.searchParams) requireParameter(name, value);
  try {
    decodeURIComponent(`${url.username}${url.password}${url.pathname}`);
    return text;
  } catch {
    return undefined;
  }
}

function requireParameter(name: string, value: string): void {
  const allowed = Object.hasOwn(DATABASE_PARAMETERS, name) ? DATABASE_PARAMETERS[name] : undefined;
  if (allowed?.test(value)) return;
  if (allowed) throw new Error(`${name} can't be '${value}'`);
  const instead = Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined;
  throw new Error(`The parameter ${name} has no effect. ${instead ?? 'Remove it'}`);
}

/** A path, unlike other texts for which the gateway would create a file. */
export function parseFile(text: string): string {
  const mistake = /^postgres(ql)?:/.test(text) ? 'Set DATABASE_URL instead.' : pathMistake(text);
  if (mistake) throw new Error(mistake.slice(0, -1));
  return text;
}

/** A name or an address to listen on. */
export function parseHost(text: string): string | undefined {
  if (isIP(text) !== 0 || (HOST_NAME.test(text.toLowerCase()) && !text.startsWith('*'))) return text;
  const bare = /^\[([^\]]+)\]$/.exec(text)?.[1];
  if (bare) throw new Error(`Write ${bare}, without brackets`);
  const [, host, port] = /^(?:https?:\/\/)?([^/:]+):(\d+)\/?$/.exec(text) ?? [];
  if (host) throw new Error(`Write ${host} alone, and set PORT=${port}`);
  return undefined;
}

/** Mistakes in files with settings, which few programs read like a shell. */
export function strayCharacters(text: string): string | undefined {
  if (text.trim() !== text) return 'It begins or ends with a space or a line break. Remove it';
  if (/^(["']).*\1$/.test(text)) return 'It is in quotation marks, which nothing removes. Remove them';
  return undefined;
}

/** At least one key, and at most `max`. */
export function createKeysParser(max: number): (text: string) => readonly Buffer[] | undefined {
  return (text) => {
    const parsed = splitEntries(text).map(parseKey);
    return parsed.length <= max && parsed.every((key) => key !== undefined) ? parsed : undefined;
  };
}

export function parseSecrets(text: string): readonly (readonly [string, string])[] | undefined {
  const pairs = text.split(',').map((pair) => /^\s*([^=\s]+)=([\x21-\x7e]{16,255})\s*$/.exec(pair));
  const found = pairs.flatMap((pair) => (pair ? [[pair[1] ?? '', pair[2] ?? ''] as const] : []));
  return found.length === pairs.length ? found : undefined;
}

export function parseSandboxKey(text: string): string | undefined {
  return /^[\x21-\x7e]{16,255}$/.test(text) ? text : undefined;
}

export function parseCallbackAllow(text: string): readonly string[] {
  const allow = splitEntries(text);
  createGuard({ allow });
  return allow;
}

/** Host names, and addresses without brackets. */
export function parseHostNames(text: string): readonly string[] | undefined {
  const names = splitEntries(text.toLowerCase());
  return names.every((name) => isIP(name) !== 0 || HOST_NAME.test(name)) ? names : undefined;
}

export function parseCidrs(text: string): readonly string[] {
  const entries = splitEntries(text);
  entries.forEach(parseCidr);
  return entries;
}

function splitEntries(text: string): readonly string[] {
  return text.split(',').map((entry) => entry.trim());
}

export function parseOrigins(text: string): readonly string[] | undefined {
  if (text === '*') return [text];
  const entries = text.split(',').map((entry) => entry.trim());
  const isOrigin = (entry: string) =>
    /^https?:[^*]+$/.test(entry) && URL.canParse(entry) && new URL(entry).origin === entry;
  return entries.every(isOrigin) ? entries : undefined;
}

/** Parses header names, ignoring case. */
export function parseProxyHeaders(text: string): readonly ProxyHeader[] | undefined {
  const entries = text
    .toLowerCase()
    .split(',')
    .map((entry) => entry.trim());
  const isKnown = (entry: string): entry is ProxyHeader => PROXY_HEADERS.some((name) => name === entry);
  return entries.every(isKnown) ? entries : undefined;
}

export function parseBoolean(text: string): boolean | undefined {
  if (text === 'true') return true;
  return text === 'false' ? false : undefined;
}
