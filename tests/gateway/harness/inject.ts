/** Requests to a gateway without a server, in the form its server would pass on. */
import type { IncomingHttpHeaders } from 'node:http';
import { DEFAULTS } from '../../../gateway/src/config/settings.ts';
import { type ClientOf, clientBehindProxies, type TrustedProxies } from '../../../gateway/src/server/proxies.ts';
import type { Gateway } from '../../../gateway/src/server.ts';

export interface InjectedRequest {
  readonly method?: string;
  readonly url: string;
  /** An undefined header is omitted. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Objects are sent as JSON. */
  readonly payload?: string | Uint8Array | object;
  readonly remoteAddress?: string;
}

export interface Injected {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly rawPayload: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of many kinds of responses.
  json(): any;
}

const PROXIES = new WeakMap<object, ClientOf>();

/** Trusts proxies as the gateway's server does. */
export function believeProxies(gateway: object, proxies: Partial<TrustedProxies> = {}): void {
  const { trustProxy = [], proxyHeaders = DEFAULTS.proxyHeaders } = proxies;
  PROXIES.set(gateway, clientBehindProxies({ trustProxy, proxyHeaders }));
}

/** Passes a request to the gateway. */
export async function inject(gateway: Pick<Gateway, 'fetch'>, request: InjectedRequest): Promise<Injected> {
  const { method = 'GET', url, payload, remoteAddress = '127.0.0.1' } = request;
  const isJson = typeof payload === 'object' && !(payload instanceof Uint8Array);
  const body = payload === undefined ? undefined : Buffer.from(isJson ? JSON.stringify(payload) : payload);
  const headers = withoutUndefined({
    host: 'localhost:80',
    ...(isJson && { 'content-type': 'application/json' }),
    ...(body && { 'content-length': String(body.length) }),
    ...request.headers,
  });
  const connected = { address: remoteAddress, host: headers['host'] ?? '', protocol: 'http' };
  const clientOf: ClientOf = PROXIES.get(gateway) ?? ((client) => client);
  const response = await gateway.fetch(new Request(`http://localhost${url}`, { method, headers, body: body ?? null }), {
    ...clientOf(connected, headers as IncomingHttpHeaders),
    target: url,
    headers,
    hasBody: body !== undefined && body.length > 0,
  });
  const rawPayload = Buffer.from(await response.arrayBuffer());
  const text = rawPayload.toString();
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: text,
    rawPayload,
    json: () => JSON.parse(text),
  };
}

function withoutUndefined(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
