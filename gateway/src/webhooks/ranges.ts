/** Addresses and names that are not for the public, as data (IANA's special-purpose registries; RFC 2606 and 6761). */

/** Ranges of IPv4 that no webhook is sent to, with what they are. */
export const REFUSED_IPV4: readonly (readonly [cidr: string, kind: string])[] = [
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

/** Ranges of IPv6 that are refused by name. What is in none of them and not global is refused as well. */
export const REFUSED_IPV6: readonly (readonly [cidr: string, kind: string])[] = [
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

/** All of IPv6 that is routed in public. */
export const GLOBAL_IPV6 = '2000::/3';

/** Ranges of IPv6 whose last 32 bits are the IPv4 address that is meant: mapped addresses and NAT64. */
export const CARRIES_IPV4: readonly string[] = ['::ffff:0:0/96', '64:ff9b::/96'];

/** Names, with all under them, that stand for the machine itself whatever a resolver says. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost'];

/** Names, with all under them, that exist on paper only. Examples are pasted often, and nobody should receive them. */
export const DOCUMENTATION_NAMES: readonly string[] = [
  'example',
  'example.com',
  'example.net',
  'example.org',
  'invalid',
];
