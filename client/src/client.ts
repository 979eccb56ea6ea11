/**
 * The client: authentication, time limits, retries and errors that are always problems, with openapi-fetch's types.
 * Retries go round the whole call, and not into a middleware or a fetch, because those do not see an answer that breaks
 * off in its body; and a request that is made anew for each attempt needs no copy of its body.
 */
import { type FetchOptions, type FetchResponse, mergeHeaders } from 'openapi-fetch';
import type { ContractClient } from '../../generated/client.ts';
import type { paths } from '../../generated/types.ts';
import { type Clock, limit, OUT_OF_TIME, sleep, systemClock } from './clock.ts';
import { CallError, type CallErrorCode } from './errors.ts';
import { isPassing, mayRepeat, pauseAfter, RETRY_DEFAULTS, type RetryOptions } from './retry.ts';
import { createSender, type Init, type Result, type Sender } from './send.ts';
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

/** What a call takes: its `params`, its `body`, and the options of fetch such as `signal`. */
export type CallOptions<M extends Method, P extends PathOf<M>> = Omit<FetchOptions<paths[P][M]>, Unsupported>;
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

/** What is being called; `path` is the contract's template, so it holds no identifiers. */
export interface CallInfo {
  method: string;
  path: string;
  /** 1 for the first. */
  attempt: number;
}

/** Headers that authenticate a call, or a function that gives them anew for each attempt. */
export type Auth =
  | Record<string, string>
  | ((call: CallInfo) => Record<string, string> | Promise<Record<string, string>>);

/** What a client does, for logs and metrics. It holds no credentials, and the body of `response` has been read. */
export type CallEvent = CallInfo & Happening;
type Happening =
  | { type: 'request' }
  | { type: 'response'; response: Response; ms: number }
  | { type: 'failure'; error: CallError; ms: number }
  | { type: 'retry'; pauseMs: number };

export interface PaymentsClientOptions {
  /** Where the service is, such as `https://api.example.com`. */
  baseUrl: string;
  /** Sent as `Authorization: Bearer …`. */
  apiKey?: string;
  /** For a service that authenticates otherwise; instead of `apiKey`. */
  auth?: Auth;
  /** Instead of the global fetch. */
  fetch?: (request: Request) => Promise<Response>;
  /** Time for one attempt with its whole answer, 30 s by default. */
  timeoutMs?: number;
  retry?: RetryOptions;
  /** Such as `my-shop/2.1`; outside of browsers it is this package's name and version by default. */
  userAgent?: string;
  /** Further headers of every call. */
  headers?: Record<string, string>;
  /** Is told of every attempt. What it throws is ignored. */
  onEvent?: (event: CallEvent) => void;
  clock?: Clock;
}

type Call = (method: string, path: string, init?: Init) => Promise<Result>;

const TIMEOUT_MS = 30_000;
/** Browsers have one of their own, and asking for another makes them ask the server first. */
const USER_AGENT = 'document' in globalThis ? undefined : `payments-client/${VERSION}`;

/**
 * Creates a client: `client.GET('/payments/{transaction_id}', …)` answers `{ data }` or `{ error }`, a problem.
 * A call rejects with a CallError when there was no usable answer, and with the signal's reason when it was aborted.
 */
export function createPaymentsClient(options: PaymentsClientOptions): PaymentsClient {
  const { baseUrl, apiKey, auth, userAgent = USER_AGENT } = options;
  if (!baseUrl) throw new TypeError('baseUrl is missing');
  if (!apiKey === !auth) throw new TypeError('give either apiKey or auth; is an environment variable not set?');
  const { send, use, eject } = createSender({
    baseUrl,
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

/** Makes a call until it is answered for good, or may not be made again. */
function repeat(send: Sender['send'], options: PaymentsClientOptions): Call {
  const { clock = systemClock, timeoutMs = TIMEOUT_MS } = options;
  const retry = { ...RETRY_DEFAULTS, ...options.retry };

  return async (method, path, init = {}) => {
    const repeatable = mayRepeat(method, path, retry);
    const end = clock.now() + retry.totalMs;
    for (let attempt = 1; ; attempt++) {
      const info = { method, path, attempt };
      tell(options, info, { type: 'request' });
      const began = clock.now();
      const ms = repeatable ? Math.min(timeoutMs, end - began) : timeoutMs;
      const { error, result } = await attemptCall(send, options, info, init, ms);
      const now = clock.now();
      const took = now - began;
      tell(
        options,
        info,
        error ? { type: 'failure', error, ms: took } : { type: 'response', response: result.response, ms: took },
      );

      const passing = error ? error.code !== 'INVALID_ANSWER' : isPassing(result.response.status);
      const again = passing && repeatable && attempt < retry.attempts;
      const pauseMs = again ? pauseAfter(attempt, result?.response, now, retry) : end;
      if (now + pauseMs >= end) {
        if (error) throw error;
        return result;
      }
      tell(options, info, { type: 'retry', pauseMs });
      await sleep(clock, pauseMs, init.signal);
    }
  };
}

type Outcome = { result: Result; error?: never } | { error: CallError; result?: never };

/** Makes one attempt. It returns a failure, and rejects only when the caller has aborted the call. */
async function attemptCall(
  send: Sender['send'],
  { clock = systemClock, auth }: PaymentsClientOptions,
  info: CallInfo,
  init: Init,
  ms: number,
): Promise<Outcome> {
  try {
    const result = await limit(clock, ms, init.signal, async (signal) => {
      const headers = typeof auth === 'function' ? mergeHeaders(init.headers, await auth(info)) : init.headers;
      return send(info.method, info.path, init, headers, signal);
    });
    return { result };
  } catch (cause) {
    init.signal?.throwIfAborted();
    return { error: failure(info, cause, ms) };
  }
}

function failure({ method, path, attempt }: CallInfo, cause: unknown, ms: number): CallError {
  const [code, what]: [CallErrorCode, unknown] =
    cause === OUT_OF_TIME
      ? ['TIMEOUT', `no answer within ${ms} ms`]
      : [cause instanceof SyntaxError ? 'INVALID_ANSWER' : 'NETWORK', (cause as Error)?.message ?? cause];
  return new CallError(code, attempt, `${method} ${path}, attempt ${attempt}: ${code}, ${what}`, cause);
}

/** A log that fails must not turn a payment that was made into an error. */
function tell({ onEvent }: PaymentsClientOptions, info: CallInfo, what: Happening): void {
  try {
    onEvent?.({ ...info, ...what });
  } catch {}
}
