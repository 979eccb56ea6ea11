/** Parsers of settings. Each returns undefined for a text that isn't allowed, or throws an error that says why. */
import { isIP } from 'node:net';
import { parseCidr } from '../platform/cidr.ts';
import { parseKey } from '../platform/key-ring.ts';
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

/** An `@` after the host is of a password that isn't encoded, and whose parts would be shown as host and database. */
export function parsePostgresUrl(text: string): string | undefined {
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
export function keysUpTo(max: number): (text: string) => readonly Buffer[] | undefined {
  return (text) => {
    const parsed = entriesOf(text).map(parseKey);
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
  const allow = entriesOf(text);
  createGuard({ allow });
  return allow;
}

/** Host names, and addresses without brackets. */
export function parseHostNames(text: string): readonly string[] | undefined {
  const names = entriesOf(text.toLowerCase());
  return names.every((name) => isIP(name) !== 0 || HOST_NAME.test(name)) ? names : undefined;
}

export function parseCidrs(text: string): readonly string[] {
  const entries = entriesOf(text);
  entries.forEach(parseCidr);
  return entries;
}

function entriesOf(text: string): readonly string[] {
  return text.split(',').map((entry) => entry.trim());
}

export function parseOrigins(text: string): readonly string[] | undefined {
  if (text === '*') return [text];
  const entries = text.split(',').map((entry) => entry.trim());
  const isOrigin = (entry: string) =>
    /^https?:[^*]+$/.test(entry) && URL.canParse(entry) && new URL(entry).origin === entry;
  return entries.every(isOrigin) ? entries : undefined;
}

/** Parses `true` and `false`. */
export function parseBoolean(text: string): boolean | undefined {
  if (text === 'true') return true;
  return text === 'false' ? false : undefined;
}
