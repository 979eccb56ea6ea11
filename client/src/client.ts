/**
 * The client: authentication, time limits, retries and events around single attempts, with errors that are always
 * problems. Retries wrap the whole call, because a `fetch` with retries would miss a response that breaks off in its
 * body.
 */
import type { Operations } from '../../generated/types.ts';
import { checkCredentials } from './check-credentials.ts';
import { type Clock, limitTime, sleep, systemClock } from './clock.ts';
import { AttemptFailure, CallError } from './errors.ts';
import { withDefaults } from './options.ts';
import { isRepeatable, isTransient, leavesUnknown, pauseAfter, RETRY_DEFAULTS, type RetryOptions } from './retry.ts';
import {
  type ApiResult,
  type Auth,
  type CallInfo,
  createSender,
  type Fetch,
  type RequestOptions,
  type Send,
} from './send.ts';
import { VERSION } from './version.ts';

type Method = keyof Operations;
type PathOf<M extends Method> = keyof Operations[M] & string;

/** Options of a call: the operation's `params` and `body`, `headers`, and a `signal`. */
export type CallOptions<M extends Method, P extends PathOf<M>> = Omit<Operations[M][P], 'data' | 'error'> &
  RequestOptions;

/** Result of a call: `data` or `error`, and the `response`, whose body has been read. */
export type CallResult<M extends Method, P extends PathOf<M>> =
  | {
      data: Operations[M][P]['data' & keyof Operations[M][P]];
      error?: never;
      mayHaveActed?: never;
      response: Response;
    }
  | {
      data?: never;
      error: Operations[M][P]['error' & keyof Operations[M][P]];
      /** False if the service certainly hasn't acted. True if the outcome of any attempt is unknown, and for 409. */
      mayHaveActed: boolean;
      response: Response;
    };

type CallOf<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...options: object extends CallOptions<M, P> ? [options?: CallOptions<M, P>] : [options: CallOptions<M, P>]
) => Promise<CallResult<M, P>>;

/** Calls of the contract's operations, by method and path. */
export interface PaymentsClient {
  GET: CallOf<'GET'>;
  POST: CallOf<'POST'>;
}

/** Activity of a client, for logs and metrics. Holds no credentials. The body of `response` has been read. */
export type CallEvent = CallInfo & Activity;
type Activity =
  | { type: 'request' }
  | { type: 'response'; response: Response; ms: number }
  | { type: 'failure'; error: CallError; ms: number }
  /** The caller aborted the call, or `auth` threw. The call rejects with the same error. */
  | { type: 'aborted'; ms: number }
  | { type: 'retry'; pauseMs: number };

export interface PaymentsClientOptions {
  /** Base URL of the service, such as `https://api.example.com`. */
  baseUrl: string;
  /** Sent as `Authorization: Bearer …`. */
  apiKey?: string | undefined;
  /** For a service with another authentication. Replaces `apiKey`. */
  auth?: Auth | undefined;
  /** Replaces the global fetch, and gets the same arguments. */
  fetch?: Fetch | undefined;
  /** Time limit of an attempt with its whole response, 30 s by default. */
  timeoutMs?: number | undefined;
  retry?: RetryOptions | undefined;
  /** Such as `my-shop/2.1`. Defaults to this package's name and version, and to none in browsers. */
  userAgent?: string | undefined;
  /** Additional headers of every call. */
  headers?: Record<string, string> | undefined;
  /** Called for every attempt. Errors that it throws or rejects with are ignored. */
  onEvent?: ((event: CallEvent) => unknown) | undefined;
  clock?: Clock | undefined;
}

type Call = (method: string, path: string, options?: RequestOptions) => Promise<ApiResult>;

const DEFAULTS = { timeoutMs: 30_000, clock: systemClock };
/** Placeholder origin for relative URLs. */
const PAGE = 'http://page';

/**
 * Creates a client: `client.GET('/payments/{transaction_id}', …)` resolves with `{ data }` or `{ error }`, a problem.
 * A call rejects with a CallError if it gets no usable response, with the signal's reason if it was aborted, and with an
 * error of `auth` unchanged.
 */
export function createPaymentsClient(options: PaymentsClientOptions): PaymentsClient {
  const { baseUrl, apiKey, auth, fetch } = options;
  const url = parseBaseUrl(baseUrl);
  if (!apiKey === !auth) throw new TypeError('give either apiKey or auth; is an environment variable not set?');
  // Browsers set their own. A custom one causes a CORS preflight, which the service refuses.
  const { userAgent = pageOrigin() ? undefined : `payments-client/${VERSION}` } = options;
  const given = { ...(typeof auth === 'object' && auth), ...options.headers };
  checkCredentials({ apiKey, userAgent, ...given }, url);
  const headers = { 'user-agent': userAgent, authorization: apiKey && `Bearer ${apiKey}`, ...given };
  const call = repeat(createSender({ baseUrl, url, headers, auth, fetch }), options);
  return {
    GET: (path: string, request?: RequestOptions) => call('GET', path, request),
    POST: (path: string, request?: RequestOptions) => call('POST', path, request),
  } as unknown as PaymentsClient;
}

/** The absolute base URL. In a page, it may be relative. (`localhost:4000` is not a URL of a host: its scheme is `localhost`.) */
function parseBaseUrl(text: string): URL {
  if (!text) throw new TypeError('baseUrl is missing');
  const origin = pageOrigin();
  let url: URL | undefined;
  try {
    // The origin of a sandboxed frame is `null`.
    url = new URL(text, origin === 'null' ? PAGE : origin);
  } catch {}
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must begin with https:// or http://');
  // Fetch refuses such a URL with an error that quotes the password.
  if (url.username || url.password) throw new TypeError('baseUrl must not contain a user name or password; use auth');
  if (url.search || url.hash) throw new TypeError('baseUrl must not contain a query or fragment');
  return url;
}

/** Makes a call until it has its response, or must not be made again. */
function repeat(send: Send, options: PaymentsClientOptions): Call {
  const { clock, timeoutMs } = withDefaults(DEFAULTS, options);
  const retry = withDefaults(RETRY_DEFAULTS, options.retry);
  const { attempts, totalMs } = retry;
  // An attempt without time would replace the last response, such as a 503, with a time-out.
  const leastMs = Math.min(timeoutMs, totalMs / 10);
  let calls = 0;

  return async (method, path, request = {}) => {
    const { signal } = request;
    signal?.throwIfAborted();
    const id = ++calls;
    const repeatable = isRepeatable(method, path, retry);
    const end = clock.now() + totalMs;
    let mayHaveActed = false;
    for (let attempt = 1; ; attempt++) {
      const info = { id, method, path, attempt };
      const began = clock.now();
      const ms = repeatable ? Math.min(timeoutMs, end - began) : timeoutMs;
      let result: ApiResult | undefined;
      let failure: CallError | undefined;
      report(options, info, { type: 'request' });
      try {
        result = await limitTime(clock, ms, signal, (inner) => send(info, request, inner), timedOut);
        report(options, info, { type: 'response', response: result.response, ms: clock.now() - began });
        if (result.response.ok) return result;
      } catch (thrown) {
        failure = toCallError(options, info, thrown, clock.now() - began);
      }
      mayHaveActed ||= method !== 'GET' && (!result || leavesUnknown(result.response.status));
      const transient = result ? isTransient(result.response.status) : failure?.code !== 'INVALID_RESPONSE';
      const now = clock.now();
      const again = transient && repeatable && attempt < attempts;
      const pauseMs = again ? pauseAfter(attempt, result?.response, now, retry) : Number.POSITIVE_INFINITY;
      if (now + pauseMs + leastMs > end) {
        if (result) return { ...result, mayHaveActed };
        throw failure;
      }
      report(options, info, { type: 'retry', pauseMs });
      await sleep(clock, pauseMs, signal);
    }
  };
}

function timedOut(ms: number): Promise<never> {
  return Promise.reject(new AttemptFailure('TIMEOUT', new Error(`no response within ${ms} ms`)));
}

/** Returns the error of a failed attempt. Throws an error that another attempt would not resolve. */
function toCallError(options: PaymentsClientOptions, info: CallInfo, thrown: unknown, ms: number): CallError {
  if (!(thrown instanceof AttemptFailure)) {
    report(options, info, { type: 'aborted', ms });
    throw thrown;
  }
  const message = describeFailure(options, info, thrown);
  const error = new CallError(thrown, info.attempt, info.method !== 'GET', message);
  report(options, info, { type: 'failure', error, ms });
  return error;
}

function describeFailure(
  { baseUrl }: PaymentsClientOptions,
  { method, path, attempt }: CallInfo,
  { code, cause, response }: AttemptFailure,
): string {
  const { message = cause, cause: deeper } = Object(cause);
  const request = response?.headers.get('x-request-id');
  const known = [message, deeper?.code, response && `status ${response.status}`, request && `request ${request}`];
  const hint = code === 'NETWORK' && !response ? corsHint(baseUrl) : '';
  return `${method} ${path}, attempt ${attempt}: ${[code, ...known.filter(Boolean)].join(', ')}${hint}`;
}

/** Browsers don't tell a page whether a request was refused for its origin or the network failed. */
function corsHint(baseUrl: string): string {
  const origin = pageOrigin();
  if (!origin || [origin, PAGE].includes(new URL(baseUrl, PAGE).origin)) return '';
  return `. If this runs in a browser, the service must allow this origin: for the payments-gateway, set CORS_ORIGINS=${origin}`;
}

/** A failing log must not turn a created payment into an error. */
function report({ onEvent }: PaymentsClientOptions, info: CallInfo, activity: Activity): void {
  if (onEvent) new Promise((resolve) => resolve(onEvent({ ...info, ...activity }))).catch(() => {});
}

/** Its origin, or undefined outside of browsers. Workers have a location, but no document. */
export function pageOrigin(): string | undefined {
  return (globalThis as { location?: { origin: string } }).location?.origin;
}
