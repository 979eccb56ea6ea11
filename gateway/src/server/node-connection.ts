/** The connection of a request that Node's HTTP server has received. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Violation } from '../../../generated/types.ts';
import type { Connection } from '../http/context.ts';
import type { Client, ClientOf } from './proxies.ts';

/** Node would refuse the request too, but without a problem document. */
const NO_HOST = { in: 'header', pointer: '/host', message: 'is missing' } as const;

/** Node reads the first and hides the others, where a proxy may have read another one. */
const HOST = 'host';
const AUTHORIZATION = 'authorization';
const CODING = { in: 'header', pointer: '/transfer-encoding' } as const;

/** Stands for the connection of a request whose target and Host make no URL. */
export const UNADDRESSED: Connection = {
  ...{ address: '', host: '', protocol: 'http', target: '/', headers: {}, hasBody: false },
  violation: {
    in: 'header',
    pointer: '/host',
    message: 'makes no URL with the path. Send a path that begins with `/`, and `Host: <host name>`',
  },
};

export class NodeConnection implements Connection {
  readonly target: string;
  readonly #incoming: IncomingMessage;
  readonly #clientOf: ClientOf;
  #client: Client | undefined;

  constructor(incoming: IncomingMessage, clientOf: ClientOf) {
    this.target = incoming.url ?? '';
    this.#incoming = incoming;
    this.#clientOf = clientOf;
  }

  get address(): string {
    return this.#knownClient().address;
  }

  get host(): string {
    return this.#knownClient().host;
  }

  get protocol(): string {
    return this.#knownClient().protocol;
  }

  get headers(): IncomingHttpHeaders {
    return this.#incoming.headers;
  }

  get hasBody(): boolean {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = this.#incoming.headers;
    return coding !== undefined || length !== '0';
  }

  get violation(): Violation | undefined {
    const { rawHeaders, httpVersion, headers } = this.#incoming;
    const { 'transfer-encoding': coding } = headers;
    if (coding !== undefined && httpVersion === '1.0') return { ...CODING, message: 'needs HTTP/1.1' };
    if (coding !== undefined && coding.toLowerCase() !== 'chunked') return { ...CODING, message: 'must be `chunked`' };
    const count = { host: 0, authorization: 0 };
    // Names are followed by their values.
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const { length } = rawHeaders[index] as string;
      if (length !== HOST.length && length !== AUTHORIZATION.length) continue;
      const name = (rawHeaders[index] as string).toLowerCase();
      if (name === HOST || name === AUTHORIZATION) count[name] += 1;
    }
    if (count.host > 1) return repeated(HOST);
    if (count.authorization > 1) return repeated(AUTHORIZATION);
    return count.host === 0 && httpVersion !== '1.0' ? NO_HOST : undefined;
  }

  /** Whether a proxy in front may have read another end of the body. */
  get hasUnclearEnd(): boolean {
    return this.#incoming.headers['transfer-encoding'] !== undefined && this.violation?.pointer === CODING.pointer;
  }

  cut = (): void => {
    this.#incoming.socket.destroy();
  };

  onClientEnd = (callback: () => void): void => {
    const { socket } = this.#incoming;
    if (socket.readableEnded) callback();
    else socket.once('end', callback);
  };

  /** Only few responses depend on it. */
  #knownClient(): Client {
    const { socket, headers } = this.#incoming;
    this.#client ??= this.#clientOf(
      {
        address: socket.remoteAddress ?? '',
        host: headers['host'] ?? '',
        protocol: (socket as Partial<TLSSocket>).encrypted ? 'https' : 'http',
      },
      headers,
    );
    return this.#client;
  }
}

function repeated(name: string): Violation {
  return { in: 'header', pointer: `/${name}`, message: 'must not be repeated' };
}
