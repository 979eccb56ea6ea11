/** Protection against foreign web pages: checks of the host and of the site that a request comes from. */
import { isLoopback } from '../platform/loopback.ts';
import type { Connection, HttpContext } from './context.ts';
import { ProblemError } from './problems.ts';

// Rejects requests for another host. With DNS rebinding, a browser treats a foreign page as same-origin with this
// gateway, and the page could use everything without a secret: the sandbox's open operations, and the demo's public
// key.

/** Names of this gateway besides the loopback names. */
export interface HostNames {
  /** Address or name on which it listens. */
  readonly host: string;
  readonly publicUrl: () => string;
  /** Host names, and `*.example.com` for subdomains. */
  readonly allowedHosts: readonly string[];
}

const UNSPECIFIED = new Set(['0.0.0.0', '::']);
/** Browsers use few spellings of the host. */
const REMEMBERED_MAX = 1_000;
/** The characters of a host and a port (RFC 9110, 7.2), without user names, paths and queries. */
const HOST = /^[^/?#@\\\s]+$/;

/** Throws for a request to another host. One without a host (HTTP/1.0) is served under any name. */
export function hostCheck(names: HostNames): (connection: Connection) => void {
  const isOwn = ownHosts(names);
  const own = new Set<string>();
  return ({ host }) => {
    if (host === '' || own.has(host)) return;
    const name = hostName(host);
    if (name === undefined || !isOwn(name)) throw misdirected(name, names.publicUrl());
    if (own.size >= REMEMBERED_MAX) own.clear();
    own.add(host);
  };
}

function ownHosts({ host, publicUrl, allowedHosts }: HostNames): (name: string) => boolean {
  const listening = hostName(host.includes(':') ? `[${host}]` : host);
  const exact = new Set(allowedHosts.map((name) => hostName(name.includes(':') ? `[${name}]` : name) ?? name));
  const below = allowedHosts.flatMap((allowed) => (allowed.startsWith('*.') ? [allowed.slice(1).toLowerCase()] : []));
  return (name) => {
    if (isLoopback(name) || name === listening || exact.has(name)) return true;
    // An IP address as a host can't be rebound.
    if (isAddress(name) && UNSPECIFIED.has(host)) return true;
    if (below.some((suffix) => name.endsWith(suffix))) return true;
    return name === hostName(publicUrl().replace(/^https?:\/\/([^/]*).*$/, '$1'));
  };
}

/** The normalized host of a `Host` header: lower case, without port, brackets and a trailing dot. */
function hostName(host: string): string | undefined {
  const parsed = HOST.test(host) ? URL.parse(`http://${host}`)?.hostname : undefined;
  return parsed?.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** Whether a host name, as `hostName` spells it, is an address: only an IPv6 address has colons, and URLs write IPv4 with four numbers. */
function isAddress(name: string): boolean {
  return name.includes(':') || /^\d+(\.\d+){3}$/.test(name);
}

function misdirected(name: string | undefined, address: string): ProblemError {
  const [here, add] = name === undefined ? ['at the host of this request', 'its host'] : [name, name];
  return new ProblemError(
    'misdirected-request',
    `This gateway is not ${here}. Send the request to ${address}, or add ${add} to ALLOWED_HOSTS.`,
  );
}

/**
 * Whether a page of another site made the browser send this request, unless the site's origin is allowed (`*` allows
 * any). Clients other than browsers send neither header. A browser without `Sec-Fetch-Site` sends the origin of the
 * page with each form, or `null` for a page that hides it, unlike the gateway's pages.
 */
export function isFromOtherSite(c: HttpContext, allowed: readonly string[] = []): boolean {
  const origin = c.req.header('origin');
  if (allowed.includes('*') || (origin !== undefined && allowed.includes(origin))) return false;
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined) return false;
  // Behind a proxy, the request's host may differ from the browser's.
  const { publicOrigin } = c.get('request');
  return publicOrigin === undefined ? origin.replace(/^https?:\/\//, '') !== c.env.host : origin !== publicOrigin;
}
