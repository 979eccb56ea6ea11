/**
 * Blocks webhooks to private addresses. Merchants choose callback URLs, which must not reach internal services. The
 * check runs in the socket's lookup: every resolved address is checked, and one of them is connected to, so a name that
 * resolves differently later gains nothing.
 *
 * A rejected address is a failed attempt and is retried, since names and settings get fixed.
 */

import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { type BlockList, isIP, type LookupFunction } from 'node:net';
import { createBlockList, parseAddress, readFamily } from '../platform/cidr.ts';

// Private addresses and names (IANA's special-purpose registries; RFC 2606 and 6761).

/** Blocked IPv4 ranges with their purpose. */
const REFUSED_IPV4: readonly (readonly [cidr: string, kind: string])[] = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared by a carrier'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'reserved'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  // Public by its number, but served by the host to its own machines.
  ['168.63.129.16/32', 'cloud metadata'],
];

/** Named blocked IPv6 ranges. Other addresses that aren't global are blocked too. */
const REFUSED_IPV6: readonly (readonly [cidr: string, kind: string])[] = [
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['fd00:ec2::/32', 'cloud metadata'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'private'],
  ['ff00::/8', 'multicast'],
  // Teredo and other protocols' own ranges.
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'documentation'],
  ['3fff::/20', 'documentation'],
  // 6to4 leads to the IPv4 address that it contains; it is out of use.
  ['2002::/16', 'reserved'],
];

/** Globally routed IPv6. */
const GLOBAL_IPV6 = '2000::/3';

/** IPv6 ranges that embed an IPv4 address in their last 32 bits: mapped addresses and NAT64. */
const CARRIES_IPV4: readonly string[] = ['::ffff:0:0/96', '64:ff9b::/96'];

/** Names and their subdomains that mean the machine itself, whatever a resolver returns. */
const LOOPBACK_NAMES: readonly string[] = ['localhost'];

/** Reserved names and their subdomains. Examples are pasted often and must not be delivered to anyone. */
const DOCUMENTATION_NAMES: readonly string[] = ['example', 'example.com', 'example.net', 'example.org', 'invalid'];

export interface GuardOptions {
  /** Addresses, CIDRs and host names (`*.` before a name takes all under it) that are allowed in addition. */
  readonly allow?: readonly string[];
  readonly resolve?: Resolve;
}

export interface Guard {
  /** Throws RefusedAddress if the host of a URL is a blocked address, or a name blocked without a lookup. */
  admit(host: string): void;
  /**
   * Returns a lookup function for sockets that fails with RefusedAddress and can be aborted. Sockets skip it for IP
   * addresses: check those first.
   */
  lookup(signal: AbortSignal): LookupFunction;
}

/** The host isn't public, and no setting allows it. */
export class RefusedAddress extends Error {
  /** Only for the operator: the merchant must not learn which private address the host resolves to. */
  readonly detail: string | undefined;
  constructor(host: string, reason: string, detail?: string) {
    super(`${host} is refused: ${reason}`);
    this.name = 'RefusedAddress';
    this.detail = detail;
  }
}

interface AllowList {
  readonly addresses: BlockList;
  readonly names: readonly string[];
}

const REFUSED = [...REFUSED_IPV4, ...REFUSED_IPV6].map(([cidr, kind]) => ({ list: createBlockList([cidr]), kind }));
const GLOBAL = createBlockList([GLOBAL_IPV6]);
const CARRIERS = createBlockList(CARRIES_IPV4);

/** Creates a guard. Throws for a malformed entry of the allow list. */
export function createGuard({ allow = [], resolve = createResolve() }: GuardOptions = {}): Guard {
  const allowed = readAllowList(allow);

  function admit(host: string): void {
    const name = plain(host);
    if (isIP(name) !== 0) admitAddress(allowed, name, name);
    else if (isWithin(name, DOCUMENTATION_NAMES) && !isNamed(allowed, name))
      throw new RefusedAddress(name, 'documentation');
  }

  async function findAddresses(host: string, signal: AbortSignal) {
    admit(host);
    const name = plain(host);
    const addresses = isWithin(name, LOOPBACK_NAMES) ? loopback(allowed) : await resolve(name, signal);
    if (!isNamed(allowed, name)) for (const address of addresses) admitAddress(allowed, address, name);
    return addresses.map((address) => ({ address, family: isIP(address) }));
  }

  return {
    admit,
    lookup:
      (signal) =>
      (host, { all, family }, callback) => {
        findAddresses(host, signal).then(
          (addresses) => {
            const wanted = Number(family) || 0;
            const [first, ...rest] =
              wanted === 4 || wanted === 6 ? addresses.filter((a) => a.family === wanted) : addresses;
            if (!first) callback(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), []);
            else if (all) callback(null, [first, ...rest]);
            else callback(null, first.address, first.family);
          },
          (error: NodeJS.ErrnoException) => callback(error, []),
        );
      },
  };
}

/** Returns the range that keeps an address from being public, or undefined for a public one. */
export function findRefusal(address: string): string | undefined {
  const meant = meantAddress(address);
  const family = readFamily(meant);
  const refused = REFUSED.find(({ list }) => list.check(meant, family));
  if (refused) return refused.kind;
  return family === 'ipv4' || GLOBAL.check(meant, family) ? undefined : 'reserved';
}

function admitAddress(allowed: AllowList, address: string, host: string): void {
  const kind = findRefusal(address);
  if (kind === undefined) return;
  const meant = meantAddress(address);
  if (allowed.addresses.check(meant, readFamily(meant))) return;
  // The merchant knows this address without a lookup.
  if (host === address || isWithin(host, LOOPBACK_NAMES)) throw new RefusedAddress(host, kind);
  throw new RefusedAddress(host, 'not a public address', `${address} is ${kind}`);
}

/** The allowed loopback addresses, or all if none is, since a setting often names only one of them. */
function loopback({ addresses }: AllowList): readonly string[] {
  const all = ['127.0.0.1', '::1'];
  const open = all.filter((address) => addresses.check(address, readFamily(address)));
  return open.length > 0 ? open : all;
}

/** The IPv4 address that an IPv6 address carries, or the address itself. */
function meantAddress(address: string): string {
  const bare = address.replace(/%.*$/, '');
  if (isIP(bare) !== 6) return bare;
  if (!CARRIERS.check(bare, 'ipv6')) return bare;
  return parseAddress(bare).subarray(-4).join('.');
}

const NAME = /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;
/** URLs parse such a name as an IPv4 address, so it would never match. */
const NUMERIC = /(^|\.)\d+$/;

function readAllowList(entries: readonly string[]): AllowList {
  const isRange = (entry: string) => /[/:]/.test(entry) || isIP(entry) !== 0;
  const names = entries.filter((entry) => !isRange(entry)).map(plain);
  const wrong = names.find((name) => !NAME.test(name) || NUMERIC.test(name));
  if (wrong !== undefined) throw new Error(`'${wrong}' is neither an address, nor a CIDR, nor a host name`);
  return { addresses: createBlockList(entries.filter(isRange)), names };
}

function isNamed({ names }: AllowList, host: string): boolean {
  return names.some((name) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name));
}

function isWithin(host: string, names: readonly string[]): boolean {
  return names.some((name) => host === name || host.endsWith(`.${name}`));
}

/** Removes the brackets of an IPv6 address and the trailing dot of a name. */
function plain(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

// Resolves host names by the hosts file, then by DNS. The system resolver's lookups can't be cancelled and block
// threads of a small pool, so one merchant's dead names would delay all others. Each lookup here has dedicated sockets
// and a time limit.

/** Returns the addresses of a name. Rejects if the lookup fails or the signal is aborted. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

interface ResolveOptions {
  /** Addresses of the DNS servers. Defaults to the system's. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
}

const HOSTS_FILE =
  process.platform === 'win32' ? `${process.env['SystemRoot']}\\System32\\drivers\\etc\\hosts` : '/etc/hosts';
/** Time for the first try. c-ares doubles it for the second. */
const TIMEOUT = { timeout: 1_000, tries: 2 };
/** Time for all tries with all servers. */
const LOOKUP_MS_MAX = 5_000;

/** Codes for a name without addresses. */
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA']);

export function createResolve({ servers, hostsFile = HOSTS_FILE }: ResolveOptions = {}): Resolve {
  return async (name, signal) => {
    const hosts = await readFile(hostsFile, 'utf8').catch(() => '');
    const listed = findInHosts(hosts, name);
    if (listed.length > 0) return listed;
    // A new resolver uses the servers that the system has now.
    const resolver = new Resolver(TIMEOUT);
    if (servers) resolver.setServers(servers);
    const ended = AbortSignal.any([signal, AbortSignal.timeout(LOOKUP_MS_MAX)]);
    ended.addEventListener('abort', () => resolver.cancel(), { once: true });
    ended.throwIfAborted();
    return askDns(resolver, name);
  };
}

function findInHosts(hosts: string, name: string): string[] {
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').toLowerCase().trim().split(/\s+/);
    return names.includes(name) && isIP(address) !== 0 ? [address] : [];
  });
}

async function askDns(resolver: Resolver, name: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  const [failure] = answers.flatMap((answer) =>
    answer.status === 'rejected' && !NO_ADDRESS.has(answer.reason.code) ? [answer.reason as NodeJS.ErrnoException] : [],
  );
  if (failure === undefined) return [];
  // Otherwise the code would read as if the endpoint had refused the connection.
  throw failure.code === 'ECONNREFUSED' ? Object.assign(failure, { code: 'EAI_AGAIN' }) : failure;
}
