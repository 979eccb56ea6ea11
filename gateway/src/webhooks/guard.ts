/**
 * Blocks webhooks to private addresses. Merchants choose callback URLs, which must not reach internal services. The
 * check runs in the socket's lookup: every resolved address is checked, and one of them is connected to, so a name that
 * resolves differently later gains nothing.
 *
 * A rejected address is a failed attempt and is retried, since names and settings get fixed.
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
  /** Throws RefusedAddress if the host of a URL is a blocked address, or a name blocked without a lookup. */
  admit(host: string): void;
  /**
   * Returns a lookup function for sockets that fails with RefusedAddress and can be aborted. Sockets skip it for IP
   * addresses: check those first.
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
  // Known without a lookup.
  if (host === address || isWithin(host, LOOPBACK_NAMES)) throw new RefusedAddress(host, kind);
  throw new RefusedAddress(host, 'not a public address', `${address} is ${kind}`);
}

/** The allowed loopback addresses, or all if none is, since a setting often names only one of them. */
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
