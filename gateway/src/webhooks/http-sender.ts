/**
 * Sends webhooks over HTTP on Node, to addresses that the guard admits. Redirects are not followed, and only the status
 * of the response counts. Merchants share addresses, so connections to an address aren't limited: no attempt waits for
 * another.
 */

import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import { clearTimeout, setTimeout } from '../platform/timers.ts';
import { type Guard, RefusedAddress } from './guard.ts';
import type { SendResult } from './retries.ts';
import { CUT_OFF, type OpenSender, readCredentials, SENDER_CLOSED, type SenderLimits, sentHeaders } from './sender.ts';

/** Maximum bytes read of a response body, so that its connection can be reused. A longer body closes the connection. */
const BODY_BYTES_MAX = 16_384;
/** Time for the rest of a response once its head has arrived. */
const BODY_WITHIN_MS = 1_000;
/** Milliseconds for which an idle connection is kept. */
const KEPT_MS = 5_000;
/** An endpoint that says how long it keeps a connection may close it this much sooner. */
const KEPT_MARGIN_MS = 1_000;
/** With more open connections, none is kept. Each takes a file descriptor and about 6 kB of the heap. */
const CONNECTIONS_MAX = 1_000;
/** The most bytes of a character in UTF-8. */
const CHAR_BYTES_MAX = 4;

interface Ended {
  readonly result: SendResult;
  /** A kept connection was closed before the request arrived. */
  readonly stale?: boolean;
}

/** Returns a function that opens senders. Each has its own connections. */
export function httpSender(guard: Guard, { connectionsMax = CONNECTIONS_MAX } = {}): OpenSender {
  return (limits) => {
    const closing = new AbortController();
    const sockets = new Set<Socket>();
    let opened = 0;
    function onOpen(socket: Socket): void {
      opened += 1;
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    const agent = new Agent({
      connect: createConnect(guard, limits.answerWithinMs, closing.signal, onOpen),
      // `Exchange` limits the time to the millisecond, and from before the connection is opened.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEPT_MS,
      keepAliveMaxTimeout: KEPT_MS,
      keepAliveTimeoutThreshold: KEPT_MARGIN_MS,
    });
    const inFlight = new Set<Exchange>();

    async function run(request: Dispatcher.DispatchOptions): Promise<Ended> {
      const exchange = new Exchange(limits);
      inFlight.add(exchange);
      const before = opened;
      agent.dispatch({ ...request, reset: sockets.size >= connectionsMax }, exchange);
      // undici opens a connection synchronously if it doesn't reuse one.
      exchange.isReused = opened === before;
      return exchange.ended.finally(() => inFlight.delete(exchange));
    }

    return {
      async send(address, headers, body) {
        if (closing.signal.aborted) return SENDER_CLOSED;
        try {
          const request = toRequest(new URL(address), headers, Buffer.from(body));
          const first = await run(request);
          return first.stale && !closing.signal.aborted ? (await run(request)).result : first.result;
        } catch (error) {
          return toFailure(error);
        }
      },
      close() {
        closing.abort();
        for (const exchange of inFlight) exchange.end(CUT_OFF);
        void agent.destroy();
        for (const socket of sockets) socket.destroy();
      },
    };
  };
}

/** Returns a function that opens sockets to admitted hosts. It throws for a host that is refused without a lookup. */
function createConnect(
  guard: Guard,
  timeout: number,
  closing: AbortSignal,
  onOpen: (socket: Socket) => void,
): buildConnector.connector {
  const connect = buildConnector({ timeout, lookup: guard.lookup(closing) }) as (
    ...parameters: Parameters<buildConnector.connector>
  ) => Socket;
  return (options, callback) => {
    guard.admit(options.hostname);
    onOpen(connect(options, callback));
  };
}

/** A request. It ends with its response, or when that takes too long or is too big. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly ended: Promise<Ended>;
  /** Whether it was sent on a kept connection. */
  isReused = false;
  readonly #resolve: (ended: Ended) => void;
  readonly #bodyWithinMs: number;
  readonly #charsKept: number;
  readonly #kept: Buffer[] = [];
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #isEnded = false;
  #status: number | undefined;
  #bytes = 0;

  constructor({ answerWithinMs, bodyCharsKept = 0 }: SenderLimits) {
    const { promise, resolve } = Promise.withResolvers<Ended>();
    this.ended = promise;
    this.#resolve = resolve;
    this.#bodyWithinMs = Math.min(BODY_WITHIN_MS, answerWithinMs);
    this.#charsKept = bodyCharsKept;
    this.#timer = setTimeout(
      () => this.end({ failure: `no response within ${answerWithinMs / 1_000} s` }),
      answerWithinMs,
    );
  }

  /** Ends the request, and closes its connection unless the response is complete. */
  end(result: SendResult, { stale = false, isComplete = false } = {}): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#resolve({ result, stale });
    if (!isComplete) this.#controller?.abort(new Error('ended'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isEnded) controller.abort(new Error('ended'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // The final response follows an interim one.
    if (status < 200) return;
    this.#status = status;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(this.#result(status)), this.#bodyWithinMs);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const bytesKept = Math.max(this.#charsKept * CHAR_BYTES_MAX - this.#bytes, 0);
    if (bytesKept > 0) this.#kept.push(chunk.subarray(0, bytesKept));
    this.#bytes += chunk.length;
    if (this.#bytes > BODY_BYTES_MAX && this.#status !== undefined) this.end(this.#result(this.#status));
  }

  onResponseEnd(): void {
    if (this.#status !== undefined) this.end(this.#result(this.#status), { isComplete: true });
  }

  /** A response that breaks off still had its status. */
  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#status !== undefined) this.end(this.#result(this.#status));
    else this.end(toFailure(error), { stale: this.isReused && isReset(error) });
  }

  #result(status: number): SendResult {
    if (this.#charsKept === 0) return { status };
    const text = Buffer.concat(this.#kept).toString();
    // PostgreSQL stores no NUL, and the end may split a pair of surrogates.
    return { status, body: text.slice(0, this.#charsKept).toWellFormed().replaceAll('\0', '\uFFFD') };
  }
}

function toRequest(url: URL, headers: Readonly<Record<string, string>>, body: Buffer): Dispatcher.DispatchOptions {
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: 'POST',
    headers: sentHeaders({ ...readCredentials(url), ...headers }, body.length),
    body,
  };
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

function classify(error: NodeJS.ErrnoException): string {
  const { code, name, message } = error;
  if (code === 'UND_ERR_SOCKET' && CLOSED_MESSAGES.has(message)) return 'ECONNRESET';
  const kind = code ?? name;
  return FAILURES[kind] ?? kind;
}

function isReset(error: Error): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(classify(error));
}

/** The error without anything that the endpoint could have written into it. */
function toFailure(error: unknown): SendResult {
  if (error instanceof RefusedAddress) return { failure: error.message, detail: error.detail };
  return { failure: `no response: ${classify(error as Error)}` };
}
