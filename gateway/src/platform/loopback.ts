/** This machine, by address and by name. It is a separate file, since pages replace cidr.ts by `page/cidr.ts`. */

export const LOOPBACK_CIDRS: readonly string[] = ['127.0.0.0/8', '::1'];

/** A name that resolves to this machine everywhere, like its subdomains (RFC 6761, 6.3). */
const LOOPBACK_NAME = 'localhost';

/** The addresses of LOOPBACK_CIDRS as spelled in URLs, including IPv4-mapped IPv6. */
const ADDRESS = /^(127\.\d+\.\d+\.\d+|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/;

/** Whether a host name or address, without brackets, refers to this machine. */
export function isLoopback(host: string): boolean {
  const spelled = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`)?.hostname ?? '';
  return ADDRESS.test(spelled) || spelled === LOOPBACK_NAME || spelled.endsWith(`.${LOOPBACK_NAME}`);
}
