/** A request that Node's HTTP server has received. */
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Violation } from '../../../generated/types.ts';
import { bodyTooLarge } from '../http/body.ts';
import { NoResponse, type PlainRequest, type RequestHeaders } from '../http/plain.ts';
import { NO_HOST, SEVERAL_HOSTS } from './malformed.ts';
import type { Client, ClientOf } from './proxies.ts';

export class ReceivedRequest implements PlainRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: RequestHeaders;
  readonly #incoming: IncomingMessage;
  readonly #clientOf: ClientOf;
  #client: Client | undefined;

  constructor(incoming: IncomingMessage, clientOf: ClientOf) {
    this.method = incoming.method ?? '';
    this.target = incoming.url ?? '';
    // Only Set-Cookie, which no client sends, would be a list.
    this.headers = incoming.headers as RequestHeaders;
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

  get hasBody(): boolean {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = this.headers;
    return coding !== undefined || length !== '0';
  }

  get violation(): Violation | undefined {
    const { rawHeaders, httpVersion } = this.#incoming;
    const hosts = countHosts(rawHeaders);
    if (hosts > 1) return SEVERAL_HOSTS;
    return hosts === 0 && httpVersion !== '1.0' ? NO_HOST : undefined;
  }

  readBody(bytesMax: number): Promise<Uint8Array> {
    return readBody(this.#incoming, bytesMax);
  }

  onGone(callback: () => void): () => void {
    const { socket } = this.#incoming;
    socket.once('close', callback);
    return () => void socket.off('close', callback);
  }

  /** Only few responses depend on it. */
  #knownClient(): Client {
    const { socket } = this.#incoming;
    this.#client ??= this.#clientOf(
      {
        address: socket.remoteAddress ?? '',
        host: this.headers['host'] ?? '',
        protocol: (socket as Partial<TLSSocket>).encrypted ? 'https' : 'http',
      },
      this.headers,
    );
    return this.#client;
  }
}

/** Node reads the first and hides the others, where a proxy may have read another one. Names are followed by their values. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count++;
  }
  return count;
}

/** A body that announces more bytes than allowed is not read at all, and one that brings more no further. */
function readBody(incoming: IncomingMessage, bytesMax: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (Number(incoming.headers['content-length'] ?? 0) > bytesMax) return reject(bodyTooLarge());
    if (incoming.destroyed) return reject(new NoResponse());
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > bytesMax) finish(() => reject(bodyTooLarge()));
    };
    const onEnd = () =>
      finish(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, bytes)));
    const onError = () => finish(() => reject(new NoResponse()));
    const finish = (settle: () => void) => {
      incoming.off('data', onData).off('end', onEnd).off('error', onError);
      // Without a listener, a client that goes now would end the process.
      incoming.on('error', () => undefined);
      settle();
    };
    incoming.on('data', onData).on('end', onEnd).on('error', onError);
  });
}
