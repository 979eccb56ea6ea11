/** Private addresses and names, as data (IANA's special-purpose registries; RFC 2606 and 6761). */

/** Blocked IPv4 ranges with their purpose. */
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

/** Named blocked IPv6 ranges. Other addresses that aren't global are blocked too. */
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

/** Globally routed IPv6. */
export const GLOBAL_IPV6 = '2000::/3';

/** IPv6 ranges that embed an IPv4 address in their last 32 bits: mapped addresses and NAT64. */
export const CARRIES_IPV4: readonly string[] = ['::ffff:0:0/96', '64:ff9b::/96'];

/** Names, with all under them, that stand for the machine itself whatever a resolver says. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost'];

/** Reserved names and their subdomains. Examples are pasted often and must not be delivered to anyone. */
export const DOCUMENTATION_NAMES: readonly string[] = [
  'example',
  'example.com',
  'example.net',
  'example.org',
  'invalid',
];
