/**
 * The last requests of each merchant. They are remembered as they are served, which costs the request next to nothing, and
 * written in the background: what comes faster than it can be shown is never masked or written.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LoggedRequest, RequestSummary } from '../../../../generated/sandbox/types.ts';
import type { Clock } from '../../platform/clock.ts';
import {
  insertRequests,
  pruneRequests,
  REQUESTS_KEPT,
  type RequestFilter,
  type StoredRequest,
  storedRequest,
  storedSummaries,
} from '../../store/sandbox-requests.ts';
import type { Store } from '../../store/store.ts';
import type { World } from '../world.ts';
import { BODY_MAX, detailOf, type Exchange, summarizeExchange } from './exchange.ts';
import type { MaskBody } from './masks.ts';

/** Bytes of what waits to be written, in all; more is not remembered. */
const WAITING_BYTES_MAX = 64 * 2 ** 20;
/** What an exchange takes in memory besides its bodies, in bytes. */
const EXCHANGE_BYTES = 2_048;
/** Requests that are written in one unit of work. */
const WRITTEN_AT_ONCE = 64;
const WRITTEN_EVERY_MS = 1_000;
/** Writing takes no more than one part of this many of the time. */
const WRITING_PART = 50;

interface LogServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly world: World;
  readonly mask: MaskBody;
  /** Called with each request. */
  readonly onRequest: (exchange: Exchange) => void;
}

/** A merchant's newest requests, the newest last. */
type Waiting = Map<number, Exchange[]>;

export class RequestLog {
  readonly #services: LogServices;
  readonly #stopping = new AbortController();
  #waiting: Waiting = new Map();
  #writing: Waiting = new Map();
  #bytes = 0;
  #loop: Promise<void> | undefined;

  constructor(services: LogServices) {
    this.#services = services;
  }

  /** Remembers a request whose response is about to leave, if it is one of a merchant. */
  record(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const { merchant, method, url } = request;
    if (merchant === undefined || (method === 'GET' && url.startsWith('/sandbox/'))) return;
    const exchange = this.#exchangeOf(request, reply, payload);
    this.#services.onRequest(exchange);
    const bytes = bytesOf(exchange);
    if (this.#bytes + bytes > WAITING_BYTES_MAX) return;
    this.#bytes += bytes;
    const waiting = this.#waiting.get(merchant.id);
    if (!waiting) this.#waiting.set(merchant.id, [exchange]);
    else if (waiting.push(exchange) > REQUESTS_KEPT) {
      const dropped = waiting.shift();
      if (dropped) this.#bytes -= bytesOf(dropped);
    }
    this.#loop ??= this.#writeInBackground();
  }

  /** A page of a merchant's requests, newest first. */
  async list(merchantId: number, filter: RequestFilter, limit: number): Promise<RequestSummary[]> {
    const recent = this.#recent(merchantId);
    const among = Math.max(REQUESTS_KEPT - recent.length, 0);
    const stored = await storedSummaries(this.#services.store.read, merchantId, filter, { among, limit });
    const summaries = new Map(stored.map(([id, summary]) => [id, JSON.parse(summary) as RequestSummary]));
    for (const exchange of recent)
      if (isSelected(exchange, filter)) summaries.set(exchange.id, summarizeExchange(exchange));
    return [...summaries.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
  }

  /** A merchant's request. */
  async find(merchantId: number, id: string): Promise<LoggedRequest | undefined> {
    const recent = this.#recent(merchantId).find((exchange) => exchange.id === id);
    if (recent) return { ...summarizeExchange(recent), ...detailOf(recent, this.#services.mask) };
    const stored = await storedRequest(this.#services.store.read, merchantId, id);
    return stored && { ...JSON.parse(String(stored['summary'])), ...JSON.parse(String(stored['detail'])) };
  }

  /** Drops what is remembered of a merchant. */
  forget(merchantId: number): void {
    for (const exchange of this.#waiting.get(merchantId) ?? []) this.#bytes -= bytesOf(exchange);
    this.#waiting.delete(merchantId);
    this.#writing.delete(merchantId);
  }

  /** Writes what waits, and ends. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await this.#write().catch(() => undefined);
  }

  #recent(merchantId: number): Exchange[] {
    return [...(this.#writing.get(merchantId) ?? []), ...(this.#waiting.get(merchantId) ?? [])];
  }

  #exchangeOf(request: FastifyRequest, reply: FastifyReply, payload: unknown): Exchange {
    const { world } = this.#services;
    const { merchant, headers } = request;
    const { now } = world.at(merchant.id);
    const durationMs = performance.now() - request.beganAt;
    const text = typeof payload === 'string' ? payload : '';
    const requestBytes = Number(headers['content-length'] ?? 0);
    // One literal, since every request makes one.
    return {
      id: request.id,
      merchantId: merchant.id,
      at: world.isFrozen(merchant.id) ? now : now - Math.round(durationMs),
      method: request.method,
      path: request.url,
      operation: request.operation,
      status: reply.statusCode,
      durationMs,
      transactionId: request.transactionId,
      requestHeaders: headers,
      requestBody: requestBytes > BODY_MAX ? undefined : request.body,
      requestBytes,
      responseHeaders: reply.getHeaders(),
      responseBody: text.length > BODY_MAX ? '' : text,
      responseBytes: text.length,
    };
  }

  async #writeInBackground(): Promise<void> {
    const { clock } = this.#services;
    let pauseMs = WRITTEN_EVERY_MS;
    while (this.#waiting.size > 0 && !this.#stopping.signal.aborted) {
      await clock.until(clock.now() + pauseMs, this.#stopping.signal);
      if (this.#stopping.signal.aborted) break;
      const began = performance.now();
      // While the database can't be reached, the newest requests are in memory, and older ones are lost.
      await this.#write().catch(() => undefined);
      pauseMs = Math.max(WRITTEN_EVERY_MS, (performance.now() - began) * WRITING_PART);
    }
    this.#loop = undefined;
  }

  async #write(): Promise<void> {
    const { store } = this.#services;
    this.#writing = this.#waiting;
    this.#waiting = new Map();
    this.#bytes = 0;
    try {
      for (const [merchantId, exchanges] of this.#writing) {
        for (let start = 0; start < exchanges.length; start += WRITTEN_AT_ONCE) {
          const rows = exchanges.slice(start, start + WRITTEN_AT_ONCE).map((exchange) => this.#rowOf(exchange));
          await store.unit((db) => insertRequests(db, rows), { priority: 'background' });
        }
        await store.unit((db) => pruneRequests(db, merchantId), { priority: 'background' });
      }
    } finally {
      this.#writing = new Map();
    }
  }

  #rowOf(exchange: Exchange): StoredRequest {
    const { merchantId, id, status, transactionId } = exchange;
    const summary = JSON.stringify(summarizeExchange(exchange));
    return {
      merchantId,
      id,
      status,
      transactionId,
      summary,
      detail: JSON.stringify(detailOf(exchange, this.#services.mask)),
    };
  }
}

function isSelected({ id, status, transactionId }: Exchange, filter: RequestFilter): boolean {
  if (filter.from !== undefined && id > filter.from) return false;
  if (filter.failed && status < 400) return false;
  return filter.transactionId === undefined || transactionId === filter.transactionId;
}

/** Bytes in memory. */
function bytesOf({ requestBody, requestBytes, responseBody }: Exchange): number {
  return EXCHANGE_BYTES + (requestBody === undefined ? 0 : requestBytes) + responseBody.length;
}
