/**
 * Keeps webhooks away from addresses that are not for the public: a callback URL is chosen by a merchant, and must not
 * reach what only this machine can reach. The check is a part of connecting, as the socket's own look-up: every
 * address that a name resolves to is checked, and one of exactly these is connected to. A name that resolves
 * differently a moment later gains nothing.
 *
 * A refused address is a failed attempt like any other: names and settings get fixed, so it is retried.
 */
import { type BlockList, isIP, type LookupFunction } from 'node:net';
import { bytesOf, createBlockList, familyOf } from '../platform/cidr.ts';
import {
  CARRIES_IPV4,
  DOCUMENTATION_NAMES,
  GLOBAL_IPV6,
  LOOPBACK_NAMES,
  REFUSED_IPV4,
  REFUSED_IPV6,
} from './ranges.ts';
import { createResolve, type Resolve } from './resolve.ts';

export interface GuardOptions {
  /** Addresses, CIDRs and host names (`*.` before a name takes all under it) that are allowed in addition. */
  readonly allow?: readonly string[];
  readonly resolve?: Resolve;
}

export interface Guard {
  /** Throws RefusedAddress when the host of a URL is a refused address, or a name that is refused without resolving it. */
  admit(host: string): void;
  /**
   * Returns a socket's look-up, which fails with RefusedAddress, and ends when the signal is aborted. Sockets skip it for a
   * host that is an address: admit that first.
   */
  lookup(signal: AbortSignal): LookupFunction;
}

/** The host is not for the public, and no setting allows it. */
export class RefusedAddress extends Error {
  /** For the operator alone: the merchant that chose the host must not learn what it leads to behind the gateway. */
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

/** Makes a guard. Throws for an entry of the allow-list that is malformed. */
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
export function refusalOf(address: string): string | undefined {
  const meant = meantAddress(address);
  const family = familyOf(meant);
  const refused = REFUSED.find(({ list }) => list.check(meant, family));
  if (refused) return refused.kind;
  return family === 'ipv4' || GLOBAL.check(meant, family) ? undefined : 'reserved';
}

function admitAddress(allowed: AllowList, address: string, host: string): void {
  const kind = refusalOf(address);
  if (kind === undefined) return;
  const meant = meantAddress(address);
  if (allowed.addresses.check(meant, familyOf(meant))) return;
  // Nothing was resolved to know it.
  if (host === address || isWithin(host, LOOPBACK_NAMES)) throw new RefusedAddress(host, kind);
  throw new RefusedAddress(host, 'not a public address', `${address} is ${kind}`);
}

/** The loopback addresses that are allowed, or all when none is: a setting often names but one of them. */
function loopback({ addresses }: AllowList): readonly string[] {
  const all = ['127.0.0.1', '::1'];
  const open = all.filter((address) => addresses.check(address, familyOf(address)));
  return open.length > 0 ? open : all;
}

/** The IPv4 address that an IPv6 address carries, or the address itself. */
function meantAddress(address: string): string {
  const bare = address.replace(/%.*$/, '');
  if (isIP(bare) !== 6) return bare;
  if (!CARRIERS.check(bare, 'ipv6')) return bare;
  return bytesOf(bare).subarray(-4).join('.');
}

const NAME = /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;
/** URLs take such a name for an IPv4 address, so that it would never be found. */
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

/** The host without the brackets of an IPv6 address and the full stop at the end of a name. */
function plain(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
