/** Raw HTTP/1.1 for requests that no HTTP library would send, over persistent connections. */
import { connect, type Socket } from 'node:net';

/** A request as sent, without validation. */
export interface Wire {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export interface Reply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** No reply: the server closed the connection, or timed out. */
export type Silence = 'closed' | 'timeout';

const HEAD_END = '\r\n\r\n';

/** The bytes of a request. */
export function encodeRequest({ method, target, headers, body }: Wire): Buffer {
  const head = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''];
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), body]);
}

/** One connection at a time to a server, reopened after its end. */
export class Line {
  readonly #port: number;
  readonly #withinMs: number;
  #socket: Socket | undefined;

  constructor(port: number, withinMs: number) {
    this.#port = port;
    this.#withinMs = withinMs;
  }

  /** Sends bytes and reads one reply. `hasBody` is false for the reply to HEAD. */
  exchange(bytes: Buffer, hasBody = true): Promise<Reply | Silence> {
    const socket = this.#open();
    return new Promise((resolve) => {
      let received = Buffer.alloc(0);
      const finish = (result: Reply | Silence, keep = false) => {
        clearTimeout(timer);
        socket.removeAllListeners();
        // A closing connection may emit an error that no request awaits.
        socket.on('error', () => undefined);
        if (!keep) this.close();
        resolve(result);
      };
      const timer = setTimeout(() => finish('timeout'), this.#withinMs);
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        const reply = parse(received, hasBody);
        if (reply && reply.status >= 200) finish(reply, reply.headers.get('connection') !== 'close');
      });
      socket.on('error', () => undefined);
      socket.on('close', () => finish(parse(received, false) ?? 'closed'));
      socket.write(bytes);
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Socket {
    if (!this.#socket || this.#socket.destroyed || !this.#socket.writable) {
      this.#socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    }
    return this.#socket;
  }
}

/** The reply in the bytes, if complete. */
function parse(bytes: Buffer, hasBody: boolean): Reply | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const rest = bytes.subarray(headEnd + HEAD_END.length);
  const length = hasBody ? Number(headers.get('content-length') ?? 0) : 0;
  return rest.length < length ? undefined : { status, headers, body: rest.subarray(0, length).toString() };
}
