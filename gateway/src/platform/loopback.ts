/** This machine, by address and by name. */

import { createBlockList, familyOf } from './cidr.ts';
import { isIP } from './net.ts';

export const LOOPBACK_CIDRS: readonly string[] = ['127.0.0.0/8', '::1'];

/** A name that leads to this machine on every machine, and so do the names below it (RFC 6761, 6.3). */
export const LOOPBACK_NAME = 'localhost';

const ADDRESSES = createBlockList(LOOPBACK_CIDRS);

/** Whether a host name or address, without brackets, is of this machine alone. */
export function isLoopback(host: string): boolean {
  if (isIP(host) !== 0) return ADDRESSES.check(host, familyOf(host));
  return host === LOOPBACK_NAME || host.endsWith(`.${LOOPBACK_NAME}`);
}
