/** The client of a request, from the headers of trusted proxies. Clients can forge headers that the proxies pass on. */
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { createBlockList, readFamily } from '../platform/cidr.ts';
import type { ProxyHeader } from '../platform/proxy-headers.ts';

export interface Client {
  readonly address: string;
  readonly host: string;
  readonly protocol: string;
}

export interface TrustedProxies {
  /** CIDRs of the proxies. A number of hops is not supported, since it would trust any client that skips one. */
  readonly trustProxy: readonly string[];
  /** The headers that they set or remove. */
  readonly proxyHeaders: readonly ProxyHeader[];
}

/** The client of a request by its headers, given the one of its connection. */
export type ClientOf = (connected: Client, headers: IncomingHttpHeaders) => Client;

/** Trusts the headers of proxies at these addresses. */
export function clientBehindProxies({ trustProxy, proxyHeaders }: TrustedProxies): ClientOf {
  if (trustProxy.length === 0) return (connected) => connected;
  const list = createBlockList(trustProxy);
  const isTrusted = (address: string) => isIP(address) !== 0 && list.check(address, readFamily(address));
  return (connected, headers) => {
    if (!isTrusted(connected.address)) return connected;
    const valuesOf = (name: ProxyHeader) => (proxyHeaders.includes(name) ? String(headers[name] ?? '') : '');
    const forwarded = parseForwarded(valuesOf('forwarded'));
    const protocol = nearest([...split(valuesOf('x-forwarded-proto')), ...forwarded.proto])?.toLowerCase();
    return {
      address: clientAddress([...split(valuesOf('x-forwarded-for')), ...forwarded.for], connected.address, isTrusted),
      host: nearest([...split(valuesOf('x-forwarded-host')), ...forwarded.host]) ?? connected.host,
      protocol: protocol === 'https' || protocol === 'http' ? protocol : connected.protocol,
    };
  };
}

/** The nearest hop that isn't a trusted proxy: what it claims about others is not believed. */
function clientAddress(hops: readonly string[], connected: string, isTrusted: (address: string) => boolean): string {
  let client = connected;
  for (const hop of hops.toReversed()) {
    const address = parseHop(hop);
    // Such as `unknown`. All that come this way share the limits of the proxy.
    if (address === undefined) return connected;
    client = address;
    if (!isTrusted(address)) break;
  }
  return client;
}

/** The address of a hop. Some proxies add a port, and IPv6 addresses have brackets then (RFC 7239, 6). */
function parseHop(hop: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\w+)?$/.exec(hop) ?? [];
  const address = bracketed ?? plain ?? hop;
  return isIP(address) === 0 ? undefined : address;
}

const PAIR = /(?:^|[;,])\s*(for|proto|host)=("(?:[^"\\]|\\.)*"|[^;,\s]*)/gi;

/** The values in a `Forwarded` header (RFC 7239), the nearest last. */
function parseForwarded(header: string): Readonly<Record<'for' | 'proto' | 'host', readonly string[]>> {
  const found = { for: [] as string[], proto: [] as string[], host: [] as string[] };
  for (const [, name = '', value = ''] of header.matchAll(PAIR)) {
    const text = value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value;
    found[name.toLowerCase() as keyof typeof found].push(text);
  }
  return found;
}

function split(header: string): string[] {
  return header === '' ? [] : header.split(',').map((part) => part.trim());
}

/** A header that several proxies have set was set last by the nearest. */
function nearest(values: readonly string[]): string | undefined {
  return values.at(-1) || undefined;
}
