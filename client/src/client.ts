/**
 * The client: openapi-fetch with authentication, time limits, retries, events, and errors that are always problems.
 * Retries wrap the whole call. A middleware or a `fetch` that retries would not see a response that breaks off in its
 * body, and would have to copy the body of each request.
 */
import type { FetchOptions } from 'openapi-fetch';
import type { ContractClient } from '../../generated/client.ts';
import type { paths, ResponseBodies } from '../../generated/types.ts';
import { checkHeaders } from './check-headers.ts';
import { type Clock, limitTime, sleep, systemClock } from './clock.ts';
import { AttemptFailure, CallError } from './errors.ts';
import { withDefaults } from './options.ts';
import { isPassing, mayRepeat, pauseAfter, RETRY_DEFAULTS, type RetryOptions } from './retry.ts';
import { type ApiResult, type ApiSender, type Auth, type CallInfo, createApiSender, type Init } from './send.ts';
import { VERSION } from './version.ts';

type Method = 'get' | 'post';
type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];

/** Options of openapi-fetch that are the client's own here, or that JSON and this contract's parameters do not need. */
type Unsupported =
  | 'baseUrl'
  | 'fetch'
  | 'middleware'
  | 'parseAs'
  | 'bodySerializer'
  | 'pathSerializer'
  | 'querySerializer';

/** Optional properties may also be undefined. */
type Lenient<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/** Options of a call: its `params`, its `body`, and the options of fetch such as `signal`. */
export type CallOptions<M extends Method, P extends PathOf<M>> = Lenient<Omit<FetchOptions<paths[P][M]>, Unsupported>>;
type Bodies<M extends Method, P extends PathOf<M>> = ResponseBodies[P][M & keyof ResponseBodies[P]];

/** Result of a call: `data` or `error`, and the `response`. */
export type CallResult<M extends Method, P extends PathOf<M>> =
  | { data: Bodies<M, P>['data' & keyof Bodies<M, P>]; error?: never; response: Response }
  | { data?: never; error: Bodies<M, P>['error' & keyof Bodies<M, P>]; response: Response };

/** openapi-fetch infers the options from what it is given, and lets fields pass that are not in the contract. */
type OptionsOf<M extends Method, P extends PathOf<M>> =
  object extends CallOptions<M, P> ? [options?: CallOptions<M, P>] : [options: CallOptions<M, P>];
type CallOf<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...options: OptionsOf<M, P>
) => Promise<CallResult<M, P>>;

/** Calls of the contract's paths, as openapi-fetch's client has them. */
export interface PaymentsClient extends Pick<ContractClient, 'use' | 'eject'> {
  GET: CallOf<'get'>;
  POST: CallOf<'post'>;
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...options: OptionsOf<M, P>
  ): Promise<CallResult<M, P>>;
}

/** Activity of a client, for logs and metrics. It holds no credentials, and the body of `response` has been read. */
export type CallEvent = CallInfo & Happening;
type Happening =
  | { type: 'request' }
  | { type: 'response'; response: Response; ms: number }
  | { type: 'failure'; error: CallError; ms: number }
  /** The caller has aborted the call, or `auth` or a middleware has thrown; the call rejects with the same. */
  | { type: 'aborted'; ms: number }
  | { type: 'retry'; pauseMs: number };

export interface PaymentsClientOptions {
  /** Base URL of the service, such as `https://api.example.com`. */
  baseUrl: string;
  /** Sent as `Authorization: Bearer …`. */
  apiKey?: string | undefined;
  /** For a service that authenticates otherwise; instead of `apiKey`. */
  auth?: Auth | undefined;
  /** Instead of the global fetch. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Time for one attempt with its whole response, 30 s by default. */
  timeoutMs?: number | undefined;
  retry?: RetryOptions | undefined;
  /** Such as `my-shop/2.1`; outside of browsers it is this package's name and version by default. */
  userAgent?: string | undefined;
  /** Further headers of every call. */
  headers?: Record<string, string> | undefined;
  /** Called for every attempt. What it throws or rejects with is ignored. */
  onEvent?: ((event: CallEvent) => unknown) | undefined;
  clock?: Clock | undefined;
}

type Call = (method: string, path: string, init?: Init) => Promise<ApiResult>;

const DEFAULTS = { timeoutMs: 30_000, clock: systemClock };
/** Placeholder origin for relative URLs. */
const PAGE = 'http://page';
/** Browsers have one of their own, and asking for another makes them ask the server first. */
const USER_AGENT = 'document' in globalThis ? undefined : `payments-client/${VERSION}`;

/**
 * Creates a client: `client.GET('/payments/{transaction_id}', …)` resolves with `{ data }` or `{ error }`, a problem.
 * A call rejects with a CallError if it gets no usable response, and with the signal's reason if it was aborted.
 * Errors from `auth` or a middleware are passed on unchanged.
 */
export function createPaymentsClient(options: PaymentsClientOptions): PaymentsClient {
  const { baseUrl, apiKey, auth, userAgent = USER_AGENT, fetch } = options;
  checkBaseUrl(baseUrl);
  if (!apiKey === !auth) throw new TypeError('give either apiKey or auth; is an environment variable not set?');
  const given = { ...(typeof auth === 'object' && auth), ...options.headers };
  checkHeaders({ apiKey, userAgent, ...given });
  const headers = { 'user-agent': userAgent, authorization: apiKey && `Bearer ${apiKey}`, ...given };
  const { send, use, eject } = createApiSender({ baseUrl, auth, fetch, headers });
  const call = repeat(send, options);
  return {
    request: (method: string, path: string, init?: Init) => call(method.toUpperCase(), path, init),
    GET: (path: string, init?: Init) => call('GET', path, init),
    POST: (path: string, init?: Init) => call('POST', path, init),
    use,
    eject,
  } as unknown as PaymentsClient;
}

/** In a page it may be relative. (`localhost:4000` is not an address: its scheme would be `localhost`.) */
function checkBaseUrl(text: string): void {
  if (!text) throw new TypeError('baseUrl is missing');
  let url: URL | undefined;
  try {
    url = new URL(text, pageOrigin() && PAGE);
  } catch {}
  if (!/^https?:$/.test(url?.protocol ?? '')) throw new TypeError('baseUrl must begin with https:// or http://');
  // Fetch refuses such an address with an error that quotes the password.
  if (url?.username || url?.password) throw new TypeError('baseUrl must not contain a user name or password; use auth');
}

/** Makes a call until it has its response, or must not be made again. */
function repeat(send: ApiSender['send'], options: PaymentsClientOptions): Call {
  const { clock, timeoutMs } = withDefaults(DEFAULTS, options);
  const retry = withDefaults(RETRY_DEFAULTS, options.retry);
  const { attempts, totalMs } = retry;
  // An attempt without time would turn a response that says "not now" into none at all.
  const leastMs = Math.min(timeoutMs, totalMs / 10);
  let calls = 0;

  return async (method, path, init = {}) => {
    const { signal } = init;
    signal?.throwIfAborted();
    const id = ++calls;
    const repeatable = mayRepeat(method, path, retry);
    const end = clock.now() + totalMs;
    for (let attempt = 1; ; attempt++) {
      const info = { id, method, path, attempt };
      const began = clock.now();
      const ms = repeatable ? Math.min(timeoutMs, end - began) : timeoutMs;
      let result: ApiResult | undefined;
      let error: CallError | undefined;
      tell(options, info, { type: 'request' });
      try {
        result = await limitTime(clock, ms, signal, (inner) => send(info, init, inner), timedOut);
        tell(options, info, { type: 'response', response: result.response, ms: clock.now() - began });
        if (result.response.ok) return result;
      } catch (thrown) {
        error = failed(options, info, thrown, clock.now() - began);
      }
      const passing = result ? isPassing(result.response.status) : error?.code !== 'INVALID_ANSWER';
      const now = clock.now();
      const again = passing && repeatable && attempt < attempts;
      const pauseMs = again ? pauseAfter(attempt, result?.response, now, retry) : Number.POSITIVE_INFINITY;
      if (now + pauseMs + leastMs > end) {
        if (result) return result;
        throw error;
      }
      tell(options, info, { type: 'retry', pauseMs });
      await sleep(clock, pauseMs, signal);
    }
  };
}

/** The end of an attempt that takes too long. */
function timedOut(ms: number): Promise<never> {
  return Promise.reject(new AttemptFailure('TIMEOUT', new Error(`no response within ${ms} ms`)));
}

/** The error of a failed attempt. Throws an error that another attempt would not resolve. */
function failed(options: PaymentsClientOptions, info: CallInfo, thrown: unknown, ms: number): CallError {
  if (!(thrown instanceof AttemptFailure)) {
    tell(options, info, { type: 'aborted', ms });
    throw thrown;
  }
  const error = callError(options, info, thrown);
  tell(options, info, { type: 'failure', error, ms });
  return error;
}

function callError(
  { baseUrl }: PaymentsClientOptions,
  { method, path, attempt }: CallInfo,
  { code, cause, response }: AttemptFailure,
): CallError {
  const { message = cause, cause: deeper } = Object(cause);
  const request = response?.headers.get('x-request-id');
  const known = [message, deeper?.code, response && `status ${response.status}`, request && `request ${request}`];
  const hint = code === 'NETWORK' && !response ? corsHint(baseUrl) : '';
  const text = `${method} ${path}, attempt ${attempt}: ${[code, ...known.filter(Boolean)].join(', ')}${hint}`;
  return new CallError(code, attempt, text, cause, response);
}

/** Browsers do not tell a page whether a request was refused for its origin or the network failed. */
function corsHint(baseUrl: string): string {
  const origin = pageOrigin();
  if (!origin || [origin, PAGE].includes(new URL(baseUrl, PAGE).origin)) return '';
  return `. If this runs in a browser, the service must allow this origin: for the payments-gateway, set CORS_ORIGINS=${origin}`;
}

/** The origin of the page or worker that this runs in, if it does. */
function pageOrigin(): string | undefined {
  return (globalThis as { location?: { origin: string } }).location?.origin;
}

/** A log that fails, now or later, must not turn a payment that was made into an error. */
function tell({ onEvent }: PaymentsClientOptions, info: CallInfo, what: Happening): void {
  if (onEvent) new Promise((resolve) => resolve(onEvent({ ...info, ...what }))).catch(() => {});
}
