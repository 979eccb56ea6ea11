/**
 * One attempt to deliver an event: an HTTP POST to an address that the guard has admitted. Redirects are not followed,
 * and of the response only the status counts; the beginning of its body is kept for people where that is asked for.
 * Everything has a limit: the time, the size of the response, the idle connections that are kept.
 */
import http from 'node:http';
import https from 'node:https';
import { type Guard, RefusedAddress } from './guard.ts';
import type { Reply } from './retries.ts';

export interface SenderOptions {
  readonly guard: Guard;
  /** Time for the whole response head to arrive. */
  readonly answerWithinMs: number;
  /** Idle connections to one address that are kept. Merchants share an address, so nothing limits those in use here. */
  readonly keptPerAddress: number;
  /** Characters of response bodies that are kept; none by default. */
  readonly bodyCharsKept?: number | undefined;
}

export interface Sender {
  /** Makes an attempt. It never rejects. */
  send(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Reply>;
  /** Ends attempts that are under way, and all connections. */
  close(): void;
}

/** Bytes of a response body that are read, so that its connection can be reused. A longer body ends the connection. */
const ANSWER_BYTES_MAX = 16_384;
/** Time for the rest of a response once its head has arrived. */
const REST_WITHIN_MS = 1_000;
/** How long an idle connection is kept. */
const KEPT_MS = 5_000;
const USER_AGENT = 'payments-gateway';

/** The most bytes of a character in UTF-8. */
const CHAR_BYTES_MAX = 4;

class TimedOut extends Error {}

/** A reply, or the news that a kept connection was gone before the request arrived. */
type Sent = Reply | 'stale';

/** Makes a sender with connections of its own. */
export function createSender({ guard, answerWithinMs, keptPerAddress, bodyCharsKept = 0 }: SenderOptions): Sender {
  const agentOptions = { keepAlive: true, timeout: KEPT_MS, maxFreeSockets: keptPerAddress };
  const plain = { request: http.request, agent: new http.Agent(agentOptions) };
  const secure = { request: https.request, agent: new https.Agent(agentOptions) };
  const underWay = new Set<http.ClientRequest>();
  let closed = false;

  function open(url: URL, headers: Readonly<Record<string, string>>, reuse: boolean): http.ClientRequest {
    const { request, agent } = url.protocol === 'https:' ? secure : plain;
    return request(url, { method: 'POST', headers, lookup: guard.lookup, agent: reuse && agent });
  }

  function exchange(request: http.ClientRequest, body: Buffer): Promise<Sent> {
    underWay.add(request);
    return new Promise<Sent>((resolve) => {
      let reply: Reply | undefined;
      const kept = new Beginning(bodyCharsKept);
      let timer = setTimeout(() => request.destroy(new TimedOut()), answerWithinMs);
      const finish = (sent: Sent) => {
        clearTimeout(timer);
        underWay.delete(request);
        const hasBody = bodyCharsKept > 0 && typeof sent === 'object' && 'status' in sent;
        resolve(hasBody ? { ...sent, body: kept.toString() } : sent);
      };
      request.on('response', (response) => {
        reply = { status: response.statusCode ?? 0 };
        clearTimeout(timer);
        timer = setTimeout(() => response.destroy(), Math.min(REST_WITHIN_MS, answerWithinMs));
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          kept.add(chunk);
          if (bytes > ANSWER_BYTES_MAX) response.destroy();
        });
        // A response that breaks off still had its status.
        response.on('error', () => undefined);
      });
      request.on('error', (error) => {
        const stale = request.reusedSocket && !reply && isReset(error) && !closed;
        finish(stale ? 'stale' : (reply ?? { failure: describeError(error, answerWithinMs) }));
      });
      request.on('close', () => finish(reply ?? { failure: 'no response: the connection was closed' }));
      request.end(body);
    });
  }

  return {
    async send(address, headers, body) {
      if (closed) return { failure: 'not sent: the sender is closed' };
      try {
        const url = new URL(address);
        guard.admit(url.hostname);
        const bytes = Buffer.from(body);
        const all = sentHeaders(headers, bytes.length);
        const sent = await exchange(open(url, all, true), bytes);
        if (sent !== 'stale') return sent;
        const again = await exchange(open(url, all, false), bytes);
        return again === 'stale' ? { failure: 'no response: the connection was closed' } : again;
      } catch (error) {
        return { failure: describeError(error, answerWithinMs) };
      }
    },
    close() {
      closed = true;
      for (const request of underWay) request.destroy();
      plain.agent.destroy();
      secure.agent.destroy();
    },
  };
}

/** All headers of a request that this side chooses. */
export function sentHeaders(headers: Readonly<Record<string, string>>, bytes: number): Record<string, string> {
  return { ...headers, 'content-length': String(bytes), 'user-agent': USER_AGENT };
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

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE';
}

/** The error without anything that the endpoint could have written into it. */
function describeError(error: unknown, answerWithinMs: number): string {
  if (error instanceof RefusedAddress) return error.message;
  if (error instanceof TimedOut) return `no response within ${answerWithinMs / 1_000} s`;
  const { code, name } = error as NodeJS.ErrnoException;
  return `no response: ${code ?? name}`;
}
