/**
 * CIDRs in a setting. Parsing is strict, since a typing error must not allow more than intended: `10.0.0.0/` is not all
 * of IPv4, and `10.1.2.3/8` could mean one machine or its whole network.
 */
import { BlockList, isIP } from './net.ts';

export type AddressFamily = 'ipv4' | 'ipv6';

interface Cidr {
  readonly network: string;
  /** Bits of the network that an address must share. */
  readonly prefix: number;
  readonly family: AddressFamily;
}

const WIDTHS: Record<AddressFamily, number> = { ipv4: 32, ipv6: 128 };

/** Parses an address, which is a range of one, or a CIDR. Throws with the reason and a valid value. */
export function parseCidr(text: string): Cidr {
  const wrong = (reason: string) => new Error(`'${text}' is not a CIDR: ${reason}`);
  const slash = text.indexOf('/');
  const network = slash === -1 ? text : text.slice(0, slash);
  if (isIP(network) === 0 || network.includes('%')) throw wrong(`'${network}' is not an IP address`);
  const family = readFamily(network);
  const width = WIDTHS[family];
  if (slash === -1) return { network, prefix: width, family };
  const bits = text.slice(slash + 1);
  if (bits === '') throw wrong(`the prefix length is missing. For this address alone, write ${network}`);
  const prefix = Number(bits);
  if (!/^(0|[1-9]\d*)$/.test(bits) || prefix > width) {
    throw wrong(`the prefix length is '${bits}'; it must be an integer from 0 to ${width} without leading zeros`);
  }
  const first = formatBytes(maskBytes(parseAddress(network), prefix));
  if (!parseAddress(first).equals(parseAddress(network))) {
    throw wrong(
      `the address has bits after its prefix. Write ${first}/${prefix}, or ${network} for this address alone`,
    );
  }
  return { network, prefix, family };
}

/** A list that contains the addresses of all these CIDRs. Throws like `parseCidr`. */
export function createBlockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const { network, prefix, family } of cidrs.map(parseCidr)) list.addSubnet(network, prefix, family);
  return list;
}

/** The family of a valid address. */
export function readFamily(address: string): AddressFamily {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** The 4 or 16 bytes of an address. */
export function parseAddress(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // A URL normalizes IPv6: groups in hexadecimal, the longest run of zeros as `::`.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [left, right] = [splitGroups(head), splitGroups(tail ?? '')];
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

const MAPPED_IPV4 = Buffer.from('00000000000000000000ffff', 'hex');

/**
 * The network that counts as one client: an IPv4 address, even in its IPv6-mapped form, or the first 64 bits of an IPv6
 * address. Other text is returned unchanged.
 */
export function toNetwork(address: string): string {
  const plain = address.replace(/%.*$/, '');
  if (isIP(plain) !== 6) return address;
  const bytes = parseAddress(plain);
  return bytes.subarray(0, 12).equals(MAPPED_IPV4)
    ? bytes.subarray(12).join('.')
    : `${formatBytes(maskBytes(bytes, 64))}/64`;
}

function splitGroups(text: string): string[] {
  return text === '' ? [] : text.split(':');
}

function maskBytes(bytes: Buffer, prefix: number): Buffer {
  return Buffer.from(bytes.map((byte, index) => byte & (0xff00 >> Math.min(Math.max(prefix - index * 8, 0), 8))));
}

function formatBytes(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = bytes.toString('hex').match(/.{4}/g) ?? [];
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
