/** Sends requests with the key and within the budget. Waits after refusals with Retry-After. */
import { setTimeout as pause } from 'node:timers/promises';
import { fillPath, readMember } from '../../../contract/src/model.ts';
import { deadlineIn, timeoutWhileAwake } from '../time/awake.ts';
import {
  BYTE_ORDER_MARK,
  type Exchange,
  type Journal,
  NoHttpResponse,
  parseJson,
  type ServiceCall,
} from './exchange.ts';
import { explainNetworkError, sendHttp } from './http.ts';
import { Liveness } from './liveness.ts';
import { InFlight, Pace, retryAfterMs } from './pace.ts';

export interface ConnectionOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly key: string;
  /** Added to every request, such as headers that a proxy in front of the service needs. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxRequests: number;
  /** Maximum sum of the run's transactions in each currency, in minor units. */
  readonly maxAmount: number;
  /** Seconds after which the run sends no more requests. */
  readonly maxTime: number;
  readonly stop?: AbortSignal;
}

export interface ServiceConnection {
  /**
   * Throws NoHttpResponse without an HTTP response in time, ServiceGone when the service has stopped, and BudgetExceeded when the
   * run has used up one of its limits.
   */
  send(call: ServiceCall, check: string): Promise<Exchange>;
  /** Sends the calls at the same time, even if the run has slowed down. */
  sendTogether(calls: readonly ServiceCall[], check: string): Promise<Exchange[]>;
  /** `fetch` for drivers. Like `send`, it waits out 429 and 503, and keeps to the run's rate. */
  readonly fetch: typeof fetch;
}

/** The run has used up a limit: requests, money, time, memory, or waiting for the service. */
export class BudgetExceeded extends Error {
  readonly remedy: string;
  constructor(reason: string, remedy: string) {
    super(reason);
    this.remedy = remedy;
  }
}

/** Responses that take longer than this share of the timeout are slow. */
const SLOW_PART = 0.25;
/** Number of times in a row that a request may be refused. */
const BUSY_MAX = 8;
/** All bodies of a run. They stay in memory. */
const RECEIVED_MAX = 256_000_000;
/** The sender of liveness probes, which aren't in the journal. */
const PROBE = 'probe';

export function connectToService(options: ConnectionOptions, journal: Journal): ServiceConnection {
  let sent = 0;
  let received = 0;
  const { passed } = deadlineIn(options.maxTime * 1_000);
  const liveness = new Liveness(options.baseUrl, (call) => exchangeOnce(options, call, PROBE, 0));
  const pace = new Pace();
  const inFlight = new InFlight(options.timeoutMs * SLOW_PART);
  const spend = createAmountLimit(options.maxAmount);
  const once = async (call: ServiceCall, check: string): Promise<Exchange> => {
    liveness.require(call);
    options.stop?.throwIfAborted();
    if (passed()) throw new BudgetExceeded(`the run may take ${options.maxTime} s`, 'raise --max-time');
    sent += 1;
    if (sent > options.maxRequests)
      throw new BudgetExceeded(`the run may send ${options.maxRequests} requests`, 'raise --max-requests');
    if (received > RECEIVED_MAX)
      throw new BudgetExceeded(`the service has sent over ${RECEIVED_MAX / 1e6} MB`, 'let it send smaller responses');
    const number = sent;
    const exchange = await exchangeOnce(options, call, check, number).catch((error: unknown) => {
      if (error instanceof NoHttpResponse) return liveness.judge({ number, call, check }, error);
      throw error;
    });
    liveness.noteResponse(call);
    received += exchange.text.length;
    journal.exchanges.push(exchange);
    return exchange;
  };
  /** Resolves with the first reply that isn't a request to wait. Rejects with BudgetExceeded after too long a wait. */
  const waitOut = async <T>(attempt: () => Promise<T>, read: (reply: T) => Reply, isFirstDue = false): Promise<T> => {
    let waitedMs = 0;
    for (let attempts = 1; ; attempts += 1) {
      if (!isFirstDue || attempts > 1) await pace.turn();
      const reply = await attempt();
      const { status, headers, isAwaited = false } = read(reply);
      const hasRetryAfter = headers.has('retry-after');
      if (!isAwaited) pace.note(status === 429 && hasRetryAfter);
      const isBusy = status === 429 || (status === 503 && hasRetryAfter);
      if (isAwaited || !isBusy) return reply;
      const waitMs = retryAfterMs(headers);
      waitedMs += waitMs;
      if (attempts > BUSY_MAX || waitedMs > options.timeoutMs) {
        // Without the header, it breaks the contract.
        if (!hasRetryAfter) return reply;
        throw new BudgetExceeded(
          `the service returns ${status} and asks to wait ${waitedMs / 1_000} s in Retry-After`,
          'raise --timeout',
        );
      }
      await pause(waitMs);
    }
  };
  const send = (call: ServiceCall, check: string, isDue?: boolean): Promise<Exchange> => {
    spend(call);
    const readExchange = ({ status, headers }: Exchange): Reply => ({
      ...{ status, headers },
      isAwaited: status === call.awaits || call.prefer !== undefined,
    });
    return waitOut(() => inFlight.run(() => once(call, check)), readExchange, isDue);
  };
  return {
    send: (call, check) => send(call, check),
    async sendTogether(calls, check) {
      for (const _call of calls) await pace.turn();
      return Promise.all(calls.map((call) => send(call, check, true)));
    },
    fetch: (input, init) =>
      waitOut(
        () => fetchOnce(new Request(input, init)),
        (response) => response,
      ),
  };
}

/** Fetches on a new connection, since the service may be closing an idle one. An error names its cause. */
async function fetchOnce(request: Request): Promise<Response> {
  request.headers.set('connection', 'close');
  return fetch(request).catch((error: Error) => {
    throw error.cause instanceof Error ? new TypeError(explainNetworkError(error.cause), { cause: error }) : error;
  });
}

/** Returns a function that adds a call's amount to the run's. It throws BudgetExceeded beyond the limit. */
function createAmountLimit(amountMax: number): (call: ServiceCall) => void {
  const amounts = new Map<string, number>();
  return ({ operation, body, invalid, unpaid }) => {
    const [amount, currency] = [readMember(body, 'amount'), readMember(body, 'currency')];
    if (invalid || unpaid || !operation.request || typeof amount !== 'number' || typeof currency !== 'string') return;
    const total = (amounts.get(currency) ?? 0) + amount;
    if (total > amountMax) {
      throw new BudgetExceeded(`the run may move ${amountMax} ${currency}, in minor units`, 'raise --max-amount');
    }
    amounts.set(currency, total);
  };
}

/** The parts of a reply that say whether to wait. */
interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Whether the request was meant to get this status. */
  readonly isAwaited?: boolean;
}

async function exchangeOnce(
  { baseUrl, key, headers: extra, timeoutMs }: ConnectionOptions,
  call: ServiceCall,
  check: string,
  number: number,
): Promise<Exchange> {
  const content = call.text ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
  const requestHeaders = { ...extra, ...createHeaders(call, key, content !== undefined) };
  const method = call.operation.method.toUpperCase();
  const url = formatAddress(baseUrl, call);
  const startedAt = Date.now();
  const late = new AbortController();
  const cancel = timeoutWhileAwake(timeoutMs, () => late.abort(`no response within ${timeoutMs} ms`));
  try {
    const response = await sendHttp(url, {
      ...{ method, headers: requestHeaders, signal: late.signal },
      ...(content !== undefined && { content }),
    });
    const { status, headers, text } = response;
    const body = parseJson(text.replace(BYTE_ORDER_MARK, ''));
    return {
      ...{ number, check, call, method, url, requestHeaders },
      ...(content !== undefined && { requestText: typeof content === 'string' ? content : bytesAsText(content) }),
      ...{ status, headers, text, startedAt, endedAt: Date.now() },
      ...(body !== undefined && { body }),
    };
  } catch (error) {
    const { aborted: isLate, reason } = late.signal;
    throw new NoHttpResponse(isLate ? String(reason) : explainNetworkError(error as Error), call, isLate);
  } finally {
    cancel();
  }
}

function formatAddress(
  baseUrl: string,
  { operation, path = {}, target, query = {}, search: given }: ServiceCall,
): string {
  const filled = target ?? fillPath(operation.path, path);
  const search = given ?? new URLSearchParams(query).toString();
  return `${baseUrl}${filled}${search ? `?${search}` : ''}`;
}

function createHeaders(call: ServiceCall, standardKey: string, hasBody: boolean): Record<string, string> {
  const key = call.key === undefined ? standardKey : call.key;
  const type = call.mediaType === undefined ? call.operation.request?.mediaType : call.mediaType;
  const authorization = call.authorization ?? (key === null ? undefined : `Bearer ${key}`);
  return {
    accept: 'application/json, application/problem+json',
    ...(hasBody && type && { 'content-type': type }),
    ...(authorization !== undefined && { authorization }),
    ...(call.prefer !== undefined && { prefer: call.prefer }),
    ...call.headers,
  };
}

function bytesAsText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
