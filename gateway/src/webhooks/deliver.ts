/**
 * Sends an event once: an HTTP POST to an address admitted by the guard. Redirects are not followed. Only the response
 * status counts; the start of the body is kept for display on request. Time, response size and idle connections are
 * limited.
 */

import type { Dispatcher } from 'undici';
import { clearTimeout, setTimeout } from '../platform/native-timers.ts';
import { type EndpointConnection, EndpointConnections } from './connections.ts';
import { type Guard, RefusedAddress } from './guard.ts';
import type { SendResult } from './retries.ts';
import { CUT_OFF, credentialsOf, SENDER_CLOSED, type Sender, type SenderLimits, sentHeaders } from './sender.ts';

export interface SenderOptions extends SenderLimits {
  readonly guard: Guard;
  /** Maximum idle connections in total. */
  readonly keptInAll?: number;
}

/** Maximum bytes read of a response body, so that its connection can be reused. A longer body closes the connection. */
const ANSWER_BYTES_MAX = 16_384;
/** Time for the rest of a response once its head has arrived. */
const REST_WITHIN_MS = 1_000;
/** Each takes a file descriptor and about 6 kB of the heap. */
const KEPT_IN_ALL = 1_000;

/** The most bytes of a character in UTF-8. */
const CHAR_BYTES_MAX = 4;

/** The end of a request. */
interface Ended {
  readonly result: SendResult;
  /** The connection can carry another request. */
  readonly reusable?: boolean;
  /** The connection was kept, and had gone before the request arrived. */
  readonly stale?: boolean;
}

/** Creates a sender with separate connections. */
export function createSender(options: SenderOptions): Sender {
  const { guard, answerWithinMs, keptPerAddress, keptInAll = KEPT_IN_ALL, bodyCharsKept = 0 } = options;
  const connections = new EndpointConnections(guard, { perAddress: keptPerAddress, total: keptInAll });
  const limits = { answerWithinMs, bodyCharsKept };
  const underWay = new Set<Exchange>();
  let closed = false;

  async function run(connection: EndpointConnection, request: Dispatcher.DispatchOptions): Promise<Ended> {
    const { promise, resolve } = Promise.withResolvers<Ended>();
    const exchange = new Exchange(connection, limits, resolve);
    underWay.add(exchange);
    connection.request(request, exchange);
    const ended = await promise;
    underWay.delete(exchange);
    if (ended.reusable && !closed) connections.keep(connection);
    else connection.end();
    return ended;
  }

  return {
    async send(address, headers, body) {
      if (closed) return SENDER_CLOSED;
      try {
        const url = new URL(address);
        const request = requestTo(url, headers, Buffer.from(body));
        const first = await run(connections.take(url.origin), request);
        if (!first.stale || closed) return first.result;
        return (await run(connections.open(url.origin), request)).result;
      } catch (error) {
        return failureOf(error);
      }
    },
    close() {
      closed = true;
      for (const exchange of underWay) exchange.end({ result: CUT_OFF });
      connections.close();
    },
  };
}

interface ExchangeLimits {
  readonly answerWithinMs: number;
  readonly bodyCharsKept: number;
}

/** A request on a connection. It ends when its response has, or when that takes too long or is too big. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #connection: EndpointConnection;
  readonly #restWithinMs: number;
  readonly #kept: Beginning | undefined;
  readonly #done: (ended: Ended) => void;
  #timer: NodeJS.Timeout;
  #status: number | undefined;
  #bytes = 0;

  constructor(
    connection: EndpointConnection,
    { answerWithinMs, bodyCharsKept }: ExchangeLimits,
    done: (ended: Ended) => void,
  ) {
    this.#connection = connection;
    this.#restWithinMs = Math.min(REST_WITHIN_MS, answerWithinMs);
    this.#kept = bodyCharsKept > 0 ? new Beginning(bodyCharsKept) : undefined;
    this.#done = done;
    const late = { result: { failure: `no response within ${answerWithinMs / 1_000} s` } };
    this.#timer = setTimeout(() => this.end(late), answerWithinMs);
  }

  /** Ends the request. Later events of its connection are ignored. */
  end(ended: Ended): void {
    clearTimeout(this.#timer);
    this.#done(ended);
  }

  /** undici recognizes this kind of handler by this method. */
  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // The final response follows an interim one.
    if (status < 200) return;
    this.#status = status;
    this.#connection.markResponded();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end({ result: this.#result(status) }), this.#restWithinMs);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#kept?.add(chunk);
    if (this.#bytes > ANSWER_BYTES_MAX && this.#status !== undefined) this.end({ result: this.#result(this.#status) });
  }

  onResponseEnd(): void {
    if (this.#status !== undefined) this.end({ result: this.#result(this.#status), reusable: true });
  }

  /** A response that breaks off still had its status. */
  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#status !== undefined) this.end({ result: this.#result(this.#status) });
    else this.end({ result: failureOf(error), stale: this.#connection.responded && isReset(error) });
  }

  #result(status: number): SendResult {
    return this.#kept ? { status, body: this.#kept.toString() } : { status };
  }
}

function requestTo(url: URL, headers: Readonly<Record<string, string>>, body: Buffer): Dispatcher.DispatchOptions {
  const all = sentHeaders({ ...credentialsOf(url), ...headers }, body.length);
  return { path: `${url.pathname}${url.search}`, method: 'POST', headers: all, body };
}

/** The beginning of a body. */
class Beginning {
  readonly #chars: number;
  readonly #chunks: Buffer[] = [];
  #bytesLeft: number;
  constructor(chars: number) {
    this.#chars = chars;
    this.#bytesLeft = chars * CHAR_BYTES_MAX;
  }
  add(chunk: Buffer): void {
    if (this.#bytesLeft <= 0) return;
    this.#chunks.push(chunk.subarray(0, this.#bytesLeft));
    this.#bytesLeft -= chunk.length;
  }
  toString(): string {
    const text = Buffer.concat(this.#chunks).toString();
    // PostgreSQL stores no NUL, and a cut may go through a pair of surrogates.
    return text.slice(0, this.#chars).toWellFormed().replaceAll('\0', '\uFFFD');
  }
}

/** Names for undici's errors in a failure, by their names and codes. Other errors have codes of the system or of TLS. */
const FAILURES: Readonly<Record<string, string>> = {
  HTTPParserError: 'invalid HTTP',
  // undici asserts a valid HTTP status.
  ERR_ASSERTION: 'invalid HTTP',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid HTTP',
  UND_ERR_HEADERS_OVERFLOW: 'HPE_HEADER_OVERFLOW',
  UND_ERR_INVALID_ARG: 'ERR_INVALID_ARG_VALUE',
  // 100 or 101, which the request didn't ask for.
  UND_ERR_SOCKET: 'unexpected interim response',
};
/** The messages of an UND_ERR_SOCKET when the other side has closed the connection. */
const CLOSED_MESSAGES = new Set(['other side closed', 'closed']);

function kindOf(error: NodeJS.ErrnoException): string {
  const { code, name, message } = error;
  if (code === 'UND_ERR_SOCKET' && CLOSED_MESSAGES.has(message)) return 'ECONNRESET';
  const kind = code ?? name;
  return FAILURES[kind] ?? kind;
}

function isReset(error: Error): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(kindOf(error));
}

/** The error without anything that the endpoint could have written into it. */
function failureOf(error: unknown): SendResult {
  if (error instanceof RefusedAddress) return { failure: error.message, detail: error.detail };
  return { failure: `no response: ${kindOf(error as Error)}` };
}
