/** The client of a request, which trusted proxies name in X-Forwarded headers. Others may write there what they like. */
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { createBlockList, familyOf } from '../platform/cidr.ts';

export interface Client {
  readonly address: string;
  readonly host: string;
  readonly protocol: string;
}

/** The client of a request by its headers, given the one of its connection. */
export type ClientOf = (connected: Client, headers: IncomingHttpHeaders) => Client;

/** Believes proxies at the addresses of these CIDRs. A number of hops is not supported, since it would trust any client that skips one. */
export function clientBehindProxies(trusted: readonly string[]): ClientOf {
  if (trusted.length === 0) return (connected) => connected;
  const list = createBlockList(trusted);
  const isTrusted = (address: string) => isIP(address) !== 0 && list.check(address, familyOf(address));
  return (connected, headers) => {
    if (!isTrusted(connected.address)) return connected;
    const hops = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((hop) => hop.trim());
    const named = hops.filter((hop) => hop !== '').reverse();
    return {
      // The nearest that isn't a trusted proxy: what it claims about others is not believed.
      address: named.find((hop) => !isTrusted(hop)) ?? named.at(-1) ?? connected.address,
      host: last(headers['x-forwarded-host']) ?? connected.host,
      protocol: last(headers['x-forwarded-proto']) ?? connected.protocol,
    };
  };
}

/** A header that was set more than once was set last by the nearest proxy. */
function last(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' ? header.slice(header.lastIndexOf(',') + 1).trim() : undefined;
}
