/**
 * The client: authentication, time limits, retries and errors that are always problems, with openapi-fetch's types.
 * Retries go round the whole call, and not into a middleware or a fetch, because those do not see an answer that breaks
 * off in its body; and a request that is made anew for each attempt needs no copy of its body.
 */
import type { FetchOptions, FetchResponse } from 'openapi-fetch';
import type { ContractClient } from '../../generated/client.ts';
import type { paths } from '../../generated/types.ts';
import { type Clock, limit, sleep, systemClock } from './clock.ts';
import { CallError, Failure } from './errors.ts';
import { withDefaults } from './options.ts';
import { isPassing, mayRepeat, pauseAfter, RETRY_DEFAULTS, type RetryOptions } from './retry.ts';
import { type Auth, type CallInfo, createSender, type Init, type Result, type Sender } from './send.ts';
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

/** What may be left out may also be undefined. */
type Lenient<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/** What a call takes: its `params`, its `body`, and the options of fetch such as `signal`. */
export type CallOptions<M extends Method, P extends PathOf<M>> = Lenient<Omit<FetchOptions<paths[P][M]>, Unsupported>>;
/** What a call answers: `data` or `error`, and the `response`. */
export type CallResult<M extends Method, P extends PathOf<M>> = FetchResponse<
  paths[P][M] & Record<string, unknown>,
  object,
  `${string}/${string}`
>;

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

/** What a client does, for logs and metrics. It holds no credentials, and the body of `response` has been read. */
export type CallEvent = CallInfo & Happening;
type Happening =
  | { type: 'request' }
  | { type: 'response'; response: Response; ms: number }
  | { type: 'failure'; error: CallError; ms: number }
  /** The caller has aborted the call, or `auth` or a middleware has thrown; the call rejects with the same. */
  | { type: 'aborted'; ms: number }
  | { type: 'retry'; pauseMs: number };

export interface PaymentsClientOptions {
  /** Where the service is, such as `https://api.example.com`. */
  baseUrl: string;
  /** Sent as `Authorization: Bearer …`. */
  apiKey?: string | undefined;
  /** For a service that authenticates otherwise; instead of `apiKey`. */
  auth?: Auth | undefined;
  /** Instead of the global fetch. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Time for one attempt with its whole answer, 30 s by default. */
  timeoutMs?: number | undefined;
  retry?: RetryOptions | undefined;
  /** Such as `my-shop/2.1`; outside of browsers it is this package's name and version by default. */
  userAgent?: string | undefined;
  /** Further headers of every call. */
  headers?: Record<string, string> | undefined;
  /** Is told of every attempt. What it throws or rejects with is ignored. */
  onEvent?: ((event: CallEvent) => unknown) | undefined;
  clock?: Clock | undefined;
}

type Call = (method: string, path: string, init?: Init) => Promise<Result>;

const DEFAULTS = { timeoutMs: 30_000, clock: systemClock };
/** Browsers have one of their own, and asking for another makes them ask the server first. */
const USER_AGENT = 'document' in globalThis ? undefined : `payments-client/${VERSION}`;

/**
 * Creates a client: `client.GET('/payments/{transaction_id}', …)` answers `{ data }` or `{ error }`, a problem.
 * A call rejects with a CallError when there was no usable answer, and with the signal's reason when it was aborted.
 * What `auth` or a middleware throws goes through as it is.
 */
export function createPaymentsClient(options: PaymentsClientOptions): PaymentsClient {
  const { baseUrl, apiKey, auth, userAgent = USER_AGENT } = options;
  if (!baseUrl) throw new TypeError('baseUrl is missing');
  if (!isAddress(baseUrl)) throw new TypeError('baseUrl has to begin with https:// or http://');
  if (!apiKey === !auth) throw new TypeError('give either apiKey or auth; is an environment variable not set?');
  const { send, use, eject } = createSender({
    baseUrl,
    auth,
    fetch: options.fetch,
    headers: {
      'user-agent': userAgent,
      authorization: apiKey && `Bearer ${apiKey}`,
      ...(typeof auth === 'object' && auth),
      ...options.headers,
    },
  });
  const call = repeat(send, options);
  return {
    request: (method: string, path: string, init?: Init) => call(method.toUpperCase(), path, init),
    GET: (path: string, init?: Init) => call('GET', path, init),
    POST: (path: string, init?: Init) => call('POST', path, init),
    use,
    eject,
  } as unknown as PaymentsClient;
}

/** In a page an address may be relative. (`localhost:4000` is none: its scheme would be `localhost`.) */
function isAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text, 'location' in globalThis ? 'http://page' : undefined).protocol);
  } catch {
    return false;
  }
}

/** Makes a call until it is answered for good, or may not be made again. */
function repeat(send: Sender['send'], options: PaymentsClientOptions): Call {
  const { clock, timeoutMs } = withDefaults(DEFAULTS, options);
  const retry = withDefaults(RETRY_DEFAULTS, options.retry);
  const { attempts, totalMs } = retry;
  // An attempt that has no time would turn an answer that says "not now" into none at all.
  const leastMs = Math.min(timeoutMs, totalMs / 10);
  let calls = 0;

  return async (method, path, init = {}) => {
    init.signal?.throwIfAborted();
    const id = ++calls;
    const repeatable = mayRepeat(method, path, retry);
    const end = clock.now() + totalMs;
    for (let attempt = 1; ; attempt++) {
      const info = { id, method, path, attempt };
      const ms = repeatable ? Math.min(timeoutMs, end - clock.now()) : timeoutMs;
      const { error, result } = await attemptCall(send, options, info, init, ms);
      const passing = error ? error.code !== 'INVALID_ANSWER' : isPassing(result.response.status);
      const again = passing && repeatable && attempt < attempts;
      const now = clock.now();
      const pauseMs = again ? pauseAfter(attempt, result?.response, now, retry) : Number.POSITIVE_INFINITY;
      if (now + pauseMs + leastMs > end) {
        if (error) throw error;
        return result;
      }
      tell(options, info, { type: 'retry', pauseMs });
      await sleep(clock, pauseMs, init.signal);
    }
  };
}

type Outcome = { result: Result; error?: never } | { error: CallError; result?: never };

/** Makes one attempt, and tells of it. It returns a failure, and rejects with what another attempt would not mend. */
async function attemptCall(
  send: Sender['send'],
  options: PaymentsClientOptions,
  info: CallInfo,
  init: Init,
  limitMs: number,
): Promise<Outcome> {
  const { clock = systemClock } = options;
  tell(options, info, { type: 'request' });
  const began = clock.now();
  try {
    const result = await limit(
      clock,
      limitMs,
      init.signal,
      (signal) => send(info, init, signal),
      () => Promise.reject(new Failure('TIMEOUT', new Error(`no answer within ${limitMs} ms`))),
    );
    tell(options, info, { type: 'response', response: result.response, ms: clock.now() - began });
    return { result };
  } catch (thrown) {
    const ms = clock.now() - began;
    if (!(thrown instanceof Failure)) {
      tell(options, info, { type: 'aborted', ms });
      throw thrown;
    }
    const error = callError(info, thrown);
    tell(options, info, { type: 'failure', error, ms });
    return { error };
  }
}

function callError({ method, path, attempt }: CallInfo, { code, cause, response }: Failure): CallError {
  const { message = cause, cause: deeper } = Object(cause);
  const request = response?.headers.get('x-request-id');
  const known = [message, deeper?.code, response && `status ${response.status}`, request && `request ${request}`];
  const text = `${method} ${path}, attempt ${attempt}: ${[code, ...known.filter(Boolean)].join(', ')}`;
  return new CallError(code, attempt, text, cause, response);
}

/** A log that fails, now or later, must not turn a payment that was made into an error. */
function tell({ onEvent }: PaymentsClientOptions, info: CallInfo, what: Happening): void {
  if (onEvent) new Promise((resolve) => resolve(onEvent({ ...info, ...what }))).catch(() => {});
}
