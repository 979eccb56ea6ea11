/**
 * The last requests of each merchant. Requests are queued at almost no cost and stored in the background, or before they
 * are read. Those beyond the display limit are dropped before masking.
 */
import type { LoggedRequest, RequestSummary } from '../../../../generated/management/types.ts';
import { json } from '../../database/row-mapper.ts';
import { batches } from '../../database/sql.ts';
import type { Database, Store, UnitOptions, Value } from '../../database/store.ts';
import type { HttpContext } from '../../http/context.ts';
import type { RequestFilter } from '../../management/operation.ts';
import type { Clock } from '../../platform/clock.ts';
import { performance } from '../../platform/timers.ts';
import type { SandboxState } from '../sandbox-state.ts';
import {
  BODY_MAX,
  createDetail,
  type LoggedExchange,
  type MaskBody,
  sizeInMemory,
  summarizeExchange,
} from './exchange.ts';

/** Maximum queued bytes. Further requests are dropped. */
const BYTES_MAX = 64 * 2 ** 20;
/** Maximum queued bytes per merchant. The oldest are dropped. */
const MERCHANT_BYTES_MAX = BYTES_MAX / 8;
/** Requests per unit of work. */
const WRITTEN_AT_ONCE = 64;
const WRITTEN_EVERY_MS = 1_000;
/** Writing takes no more than one part of this many of the time. */
const WRITING_PART = 50;

interface LogServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly sandboxState: SandboxState;
  readonly mask: MaskBody;
  readonly onRequest: (exchange: LoggedExchange) => void;
}

interface Remembered {
  readonly exchange: LoggedExchange;
  /** Of memory. */
  readonly bytes: number;
}

/** The newest requests of a merchant that aren't written yet, the newest last. */
interface Unwritten {
  readonly requests: Remembered[];
  bytes: number;
}

type Waiting = Map<number, Unwritten>;

export class RequestLog {
  readonly #services: LogServices;
  readonly #stopping = new AbortController();
  #waiting: Waiting = new Map();
  #writing: Waiting = new Map();
  #bytes = 0;
  #loop: Promise<void> | undefined;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(services: LogServices) {
    this.#services = services;
  }

  /** Remembers a request whose response is about to leave, if it is one of a merchant. */
  record(c: HttpContext): void {
    const { merchant } = c.get('request');
    if (merchant === undefined || (c.req.method === 'GET' && isOwn(c.env.target))) return;
    const exchange = this.#exchangeOf(c, merchant.id);
    this.#services.onRequest(exchange);
    const bytes = sizeInMemory(exchange);
    if (this.#bytes + bytes > BYTES_MAX) return;
    let waiting = this.#waiting.get(merchant.id);
    if (!waiting) {
      waiting = { requests: [], bytes: 0 };
      this.#waiting.set(merchant.id, waiting);
    }
    waiting.requests.push({ exchange, bytes });
    this.#count(waiting, bytes);
    while (waiting.requests.length > REQUESTS_KEPT || waiting.bytes > MERCHANT_BYTES_MAX) {
      this.#count(waiting, -(waiting.requests.shift()?.bytes ?? 0));
    }
    this.#loop ??= this.#writeInBackground();
  }

  /** A page of a merchant's requests, newest first. */
  async list(merchantId: number, filter: RequestFilter, limit: number): Promise<RequestSummary[]> {
    await this.#write();
    return storedSummaries(this.#services.store.read, merchantId, filter, limit);
  }

  async find(merchantId: number, id: string): Promise<LoggedRequest | undefined> {
    await this.#write();
    const sql = 'select summary, detail from sandbox_requests where merchant_id = ? and id = ?';
    const row = await this.#services.store.read.get(sql, merchantId, id);
    return row && { ...json<LoggedRequest>('summary')(row), ...json<LoggedRequest>('detail')(row) };
  }

  get queuedBytes(): number {
    return this.#bytes;
  }

  /** Drops what is remembered of a merchant. */
  forget(merchantId: number): void {
    this.#drop(this.#waiting, merchantId);
    this.#drop(this.#writing, merchantId);
  }

  /** Writes what waits, and ends. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await this.#write().catch(() => undefined);
  }

  #count(unwritten: Unwritten, bytes: number): void {
    unwritten.bytes += bytes;
    this.#bytes += bytes;
  }

  #drop(from: Waiting, merchantId: number): void {
    this.#bytes -= from.get(merchantId)?.bytes ?? 0;
    from.delete(merchantId);
  }

  #exchangeOf(c: HttpContext, merchantId: number): LoggedExchange {
    const { sandboxState } = this.#services;
    const request = c.get('request');
    const { received, sent = { headers: {}, text: '' } } = request;
    const { now } = sandboxState.at(merchantId);
    const durationMs = performance.now() - request.beganAt;
    const requestHeaders = c.env.headers;
    const { text } = sent;
    // For a body rejected unread, the client's Content-Length.
    const requestBytes = received?.bytes ?? Number(requestHeaders['content-length'] ?? 0);
    // One literal, since every request makes one.
    return {
      id: request.id,
      merchantId,
      at: sandboxState.isFrozen(merchantId) ? now : now - Math.ceil(durationMs),
      method: c.req.method,
      path: c.env.target,
      operation: request.operation,
      status: c.res.status,
      durationMs,
      transactionId: request.transactionId,
      requestHeaders,
      requestBody: received === undefined || requestBytes > BODY_MAX ? '' : received.text,
      requestBytes,
      responseHeaders: sent.headers,
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
      // While the database can't be reached, requests are lost.
      await this.#write({ priority: 'background' }).catch(() => undefined);
      pauseMs = Math.max(WRITTEN_EVERY_MS, (performance.now() - began) * WRITING_PART);
    }
    this.#loop = undefined;
  }

  /** Writes what waits, after the write in progress. */
  #write(options?: UnitOptions): Promise<void> {
    const written = this.#lastWrite.then(() => this.#writeWaiting(options));
    this.#lastWrite = written.catch(() => undefined);
    return written;
  }

  async #writeWaiting(options?: UnitOptions): Promise<void> {
    const { store } = this.#services;
    this.#writing = this.#waiting;
    this.#waiting = new Map();
    try {
      for (const [merchantId, { requests }] of this.#writing) {
        for (let start = 0; start < requests.length; start += WRITTEN_AT_ONCE) {
          const rows = requests.slice(start, start + WRITTEN_AT_ONCE).map(({ exchange }) => this.#rowOf(exchange));
          await store.unit((db) => insertRequests(db, rows), options);
        }
        await store.unit((db) => pruneRequests(db, merchantId), options);
        this.#drop(this.#writing, merchantId);
      }
    } finally {
      for (const merchantId of this.#writing.keys()) this.#drop(this.#writing, merchantId);
    }
  }

  #rowOf(exchange: LoggedExchange): StoredRequest {
    const { merchantId, id, status, transactionId } = exchange;
    const summary = JSON.stringify(summarizeExchange(exchange));
    return {
      merchantId,
      id,
      status,
      transactionId,
      summary,
      detail: JSON.stringify(createDetail(exchange, this.#services.mask)),
    };
  }
}

/** Whether a path is one of the gateway's own APIs. */
function isOwn(path: string): boolean {
  return OWN_PATHS.some((start) => path.startsWith(start));
}

// Requests are masked before they are stored.

interface StoredRequest {
  readonly merchantId: number;
  readonly id: string;
  readonly status: number;
  readonly transactionId: string | undefined;
  /** JSON. */
  readonly summary: string;
  /** JSON of the fields outside the summary. */
  readonly detail: string;
}

/** Maximum stored requests per merchant. */
export const REQUESTS_KEPT = 1_000;

/** Beginnings of the paths of the gateway's own APIs. */
const OWN_PATHS = ['/sandbox/', '/management/'] as const;

/** Sorts after every id of a request, in every collation. */
const LAST_ID = `req_${'Z'.repeat(10)}`;

/**
 * Stores requests, except of deleted merchants. If two have the same id, which a seed can cause, the first is kept.
 */
async function insertRequests(db: Database, requests: readonly StoredRequest[]): Promise<void> {
  const types = ['bigint', 'text', 'bigint', 'text', 'text', 'text'];
  const columns = `(${types.map((type) => `cast(? as ${type})`).join(', ')})`;
  for (const batch of batches(requests)) {
    await db.run(
      `with made (merchant_id, id, status, transaction_id, summary, detail) as (values ${batch.map(() => columns).join(', ')})
       insert into sandbox_requests (merchant_id, id, status, transaction_id, summary, detail)
       select made.merchant_id, made.id, made.status, made.transaction_id, made.summary, made.detail
       from made join merchants m on m.id = made.merchant_id where 1 = 1 on conflict (merchant_id, id) do nothing`,
      ...batch.flatMap((request): Value[] => (request ? toValues(request) : Array(types.length).fill(null))),
    );
  }
}

/** Deletes all but the newest of a merchant's requests. */
async function pruneRequests(db: Database, merchantId: number): Promise<void> {
  await db.run(
    `delete from sandbox_requests where merchant_id = ? and id <=
       (select id from sandbox_requests where merchant_id = ? order by id desc limit 1 offset ${REQUESTS_KEPT})`,
    merchantId,
    merchantId,
  );
}

/** The newest summaries that fit. */
async function storedSummaries(
  db: Database,
  merchantId: number,
  { from = LAST_ID, transactionId, failed, operation, apiOnly }: RequestFilter,
  limit: number,
): Promise<RequestSummary[]> {
  const rows = await db.all(
    `select summary from sandbox_requests
     where merchant_id = ? and id <= ? and status >= ? and (cast(? as text) is null or transaction_id = ?)
       and summary like ? escape '!' ${OWN_PATHS.map(() => 'and summary not like ?').join(' ')} order by id desc limit ?`,
    ...[merchantId, from, failed ? 400 : 0, transactionId ?? null, transactionId ?? null],
    ...[
      operation === undefined ? '%' : `%"operation":"${operation.replaceAll(/[%_!]/g, '!$&')}"%`,
      ...OWN_PATHS.map((start) => (apiOnly ? `%"path":"${start}%` : '')),
      limit,
    ],
  );
  return rows.map(json<RequestSummary>('summary'));
}

function toValues({ merchantId, id, status, transactionId, summary, detail }: StoredRequest): Value[] {
  return [merchantId, id, status, transactionId ?? null, summary, detail];
}
