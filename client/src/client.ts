/**
 * The client: openapi-fetch with authentication, time limits, retries and errors that are always problems.
 * Retries go round the whole call, and not into a middleware or a fetch, because those do not see an answer that breaks
 * off in its body; and a request that is made anew for each attempt needs no copy of its body.
 */
import { type HeadersOptions, mergeHeaders } from 'openapi-fetch';
import { type ContractClient, createContractClient } from '../../generated/client.ts';
import { type Clock, limit, OUT_OF_TIME, sleep, systemClock } from './clock.ts';
import { CallError, type CallErrorCode, problemOf } from './errors.ts';
import { isPassing, mayRepeat, pauseAfter, RETRY_DEFAULTS, type RetryOptions } from './retry.ts';
import { VERSION } from './version.ts';

/** openapi-fetch's client of the contract's paths. */
export type PaymentsClient = ContractClient;

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

/** What a client does, for logs and metrics. It holds no credentials and nothing of any body. */
export type CallEvent = CallInfo &
  (
    | { type: 'request' }
    | { type: 'response'; status: number; ms: number; requestId: string | undefined }
    | { type: 'failure'; error: CallError; ms: number }
    | { type: 'retry'; pauseMs: number }
  );

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
  /** Stands before this client's own in the header, such as `my-shop/2.1`. */
  userAgent?: string;
  /** Further headers of every call. */
  headers?: Record<string, string>;
  /** Is told of every attempt. What it throws is ignored. */
  onEvent?: (event: CallEvent) => void;
  clock?: Clock;
}

interface Init {
  signal?: AbortSignal | null;
  headers?: HeadersOptions;
  [option: string]: unknown;
}
interface Result {
  data?: unknown;
  error?: unknown;
  response: Response;
}
type Call = (method: string, path: string, init?: Init) => Promise<Result>;

const TIMEOUT_MS = 30_000;

/**
 * Creates a client: `client.GET('/payments/{transaction_id}', …)` answers `{ data }` or `{ error }`, a problem.
 * A call rejects with a CallError when there was no usable answer, and with the signal's reason when it was aborted.
 */
export function createPaymentsClient(options: PaymentsClientOptions): PaymentsClient {
  check(options);
  const client = createContractClient({
    baseUrl: options.baseUrl,
    ...(options.fetch && { fetch: options.fetch }),
    headers: {
      ...userAgent(options.userAgent),
      ...(options.apiKey && { authorization: `Bearer ${options.apiKey}` }),
      ...(typeof options.auth === 'object' && options.auth),
      ...options.headers,
    },
    // An answer that leads elsewhere would take the credentials and the body with it.
    redirect: 'manual',
  });
  const call = withRetries(client.request as unknown as Call, options);
  return {
    ...client,
    request: call,
    GET: (path: string, init?: Init) => call('GET', path, init),
    POST: (path: string, init?: Init) => call('POST', path, init),
  } as unknown as PaymentsClient;
}

function withRetries(send: Call, options: PaymentsClientOptions): Call {
  const { clock = systemClock, timeoutMs = TIMEOUT_MS } = options;
  const retry = { ...RETRY_DEFAULTS, ...options.retry };
  const attempt = createAttempt(send, options);

  return async (method, path, init = {}) => {
    const began = clock.now();
    const attempts = mayRepeat(method.toUpperCase(), path, retry) ? retry.attempts : 1;
    for (let number = 1; ; number++) {
      const info = { method, path, attempt: number };
      const left = retry.totalMs - (clock.now() - began);
      const outcome = await attempt(info, init, attempts === 1 ? timeoutMs : Math.min(timeoutMs, left));
      const answer = outcome instanceof CallError ? undefined : outcome.response;
      const passing = answer ? isPassing(answer.status) : (outcome as CallError).code !== 'INVALID_ANSWER';
      const pauseMs = pauseAfter(number, answer, clock.now(), retry);
      if (!passing || number >= attempts || clock.now() - began + pauseMs >= retry.totalMs) {
        if (outcome instanceof CallError) throw outcome;
        return outcome;
      }
      tell(options, { ...info, type: 'retry', pauseMs });
      await sleep(clock, pauseMs, init.signal ?? undefined);
    }
  };
}

/** Makes one attempt. It returns the failure of an attempt, and rejects only when the caller has aborted the call. */
function createAttempt(send: Call, options: PaymentsClientOptions) {
  const { clock = systemClock, auth } = options;
  const authenticate = typeof auth === 'function' ? auth : undefined;

  async function sendWithin(info: CallInfo, init: Init, signal: AbortSignal): Promise<Result> {
    const headers = authenticate && mergeHeaders(init.headers, await authenticate(info));
    const { data, error, response } = await send(info.method, info.path, {
      ...init,
      ...(headers && { headers }),
      signal,
    });
    if (!response.ok) return { error: problemOf(error, response), response };
    if (data === undefined) throw new SyntaxError('the body is empty');
    return { data, response };
  }

  return async (info: CallInfo, init: Init, ms: number): Promise<Result | CallError> => {
    const began = clock.now();
    tell(options, { ...info, type: 'request' });
    try {
      const result = await limit(clock, ms, init.signal, (signal) => sendWithin(info, init, signal));
      const { status, headers } = result.response;
      const requestId = headers.get('x-request-id') ?? undefined;
      tell(options, { ...info, type: 'response', status, ms: clock.now() - began, requestId });
      return result;
    } catch (cause) {
      if (init.signal?.aborted) throw init.signal.reason;
      const error = failure(info, cause, ms);
      tell(options, { ...info, type: 'failure', error, ms: clock.now() - began });
      return error;
    }
  };
}

function failure({ method, path, attempt }: CallInfo, cause: unknown, ms: number): CallError {
  const [code, what]: [CallErrorCode, string] =
    cause === OUT_OF_TIME
      ? ['TIMEOUT', `no answer within ${ms} ms`]
      : cause instanceof SyntaxError
        ? ['INVALID_ANSWER', `the answer is a success, but no JSON: ${cause.message}`]
        : ['NETWORK', `no answer: ${cause instanceof Error ? cause.message : cause}`];
  return new CallError(code, `${method} ${path}`, attempt, what, cause === OUT_OF_TIME ? undefined : cause);
}

/** A log that fails must not turn a payment that was made into an error. */
function tell({ onEvent }: PaymentsClientOptions, event: CallEvent): void {
  try {
    onEvent?.(event);
  } catch {}
}

function check({ baseUrl, apiKey, auth }: PaymentsClientOptions): void {
  const base = (globalThis as { location?: { href: string } }).location?.href;
  if (!URL.canParse(baseUrl, base)) throw new TypeError(`baseUrl is '${baseUrl}'; give the address of the service`);
  if (!apiKey === !auth) throw new TypeError('give either apiKey or auth; is an environment variable not set?');
}

/** Browsers have a user agent of their own, and asking for another makes them ask the server first. */
function userAgent(own: string | undefined): Record<string, string> {
  if ('document' in globalThis) return {};
  return { 'user-agent': [own, `payments-client/${VERSION}`].filter(Boolean).join(' ') };
}
