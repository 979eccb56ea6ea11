/**
 * One attempt of a call. Only this module uses openapi-fetch, which builds the request and parses the response
 * (docs/decisions/0025-replaceable-generator.md).
 */
import createClient from 'openapi-fetch';
import { checkCredentials } from './check-credentials.ts';
import { AttemptFailure, readProblem } from './errors.ts';

/** The operation of a call. `path` is the contract's template, so it holds no identifiers. */
export interface CallInfo {
  /** Counts the calls of a client. All attempts of a call have the same. */
  id: number;
  method: string;
  path: string;
  /** 1 for the first. */
  attempt: number;
}

/** Headers that authenticate a call, or a function that returns them for each attempt. */
export type Auth =
  | Record<string, string>
  | ((call: CallInfo) => Record<string, string> | Promise<Record<string, string>>);

/** Headers of a call. `null` removes a header of the client. */
export type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** The second argument of `fetch`. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  redirect: 'manual';
  cache?: 'no-store';
}
/** The parts of a Response that the client uses. The Response of the package undici has another type than the global one. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: { get(name: string): string | null; has(name: string): boolean };
  readonly body: unknown;
  text(): Promise<string>;
}
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface RequestOptions {
  headers?: RequestHeaders | undefined;
  signal?: AbortSignal | null | undefined;
}
export interface ApiResult {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/**
 * Sends an attempt. `signal` replaces the call's own. Rejects with an AttemptFailure if it gets no usable response. Any
 * other rejection is a mistake in the options, or comes from `auth`.
 */
export type Send = (call: CallInfo, options: RequestOptions, signal: AbortSignal) => Promise<ApiResult>;

interface SenderOptions {
  baseUrl: string;
  /** The absolute base URL. */
  url: URL;
  headers: Record<string, string | undefined>;
  auth: Auth | undefined;
  fetch: Fetch | undefined;
}

export function createSender({ baseUrl, url, headers, auth, fetch: given }: SenderOptions): Send {
  const core = createClient<object>({
    baseUrl,
    headers,
    Request: Draft as unknown as typeof Request,
    // Following a redirect would send the credentials and the body elsewhere.
    redirect: 'manual',
    ...(acceptsCache() && { cache: 'no-store' }),
  });
  const request = core.request as unknown as (method: string, path: string, init: object) => Promise<ApiResult>;

  return async (call, options, signal) => {
    const { params } = options as { readonly params?: { readonly path?: Readonly<Record<string, unknown>> } };
    requireIdentifiers(call.path, params?.path);
    const dynamic = typeof auth === 'function' ? await auth(call) : undefined;
    const joined = dynamic || options.headers ? joinHeaders(dynamic, options.headers, url) : undefined;
    let sent: Promise<Response> | undefined;
    const fetchOnce = async (draft: Draft) => {
      // A given fetch may not check it.
      signal.throwIfAborted();
      const { url, headers, method, body, redirect, cache } = draft;
      const init = { method, headers: Object.fromEntries(headers), redirect, signal };
      Object.assign(init, body !== undefined && { body }, cache && { cache });
      // A global fetch that a test replaced later is used, too.
      sent = (given ?? (fetch as Fetch))(url, init) as Promise<Response>;
      return limitResponse(await sent);
    };
    let result: ApiResult;
    try {
      result = await request(call.method, call.path, { ...options, headers: joined, signal, fetch: fetchOnce });
    } catch (thrown) {
      if (!sent) throw thrown;
      const response = await sent.catch(() => undefined);
      throw new AttemptFailure(isUnusable(thrown) ? 'INVALID_RESPONSE' : 'NETWORK', thrown, response);
    }
    const response = await (sent as unknown as Promise<Response>);
    const { data, error } = result;
    if (!response.ok) return { error: readProblem(error, response), response };
    if (typeof data !== 'object' || data === null || Array.isArray(data)) {
      throw new AttemptFailure('INVALID_RESPONSE', new SyntaxError('the body is not a JSON object'), response);
    }
    return { data, response };
  };
}

/** By name, since an error of another realm, as in Jest, is an instance of another class. */
function isUnusable(thrown: unknown): boolean {
  return Object(thrown).name === 'SyntaxError' || thrown instanceof BodyTooLarge;
}

/**
 * The request as openapi-fetch builds it. Not a Request: fetch would copy it, and passing a signal through both is slow.
 */
class Draft {
  declare readonly url: string;
  declare readonly method: string;
  declare readonly headers: Headers;
  declare readonly body: string;
  declare readonly redirect: 'manual';
  declare readonly cache: 'no-store';
  constructor(url: string, init: object) {
    Object.assign(this, init, { url });
  }
}

/** Next caches requests by default. Some versions of Cloudflare's workers throw for the option. */
function acceptsCache(): boolean {
  try {
    return new Request('http://page', { cache: 'no-store' }).cache === 'no-store';
  } catch {
    return false;
  }
}

/** Headers of the call override headers of `auth`. Returns a record, because only a record can remove a header. */
function joinHeaders(dynamic: Record<string, string> | undefined, given: RequestHeaders | undefined, url: URL): object {
  const joined = { ...dynamic, ...(given instanceof Headers ? Object.fromEntries(given) : given) };
  checkCredentials(joined, url);
  return joined;
}

/** In a URL, these are folders: the request would go to another path. */
const FOLDERS = ['', '.', '..'];

function requireIdentifiers(template: string, given: Readonly<Record<string, unknown>> = {}): void {
  for (const [, name = ''] of template.matchAll(/\{(\w+)\}/g)) {
    const value = `${given[name] ?? ''}`;
    if (FOLDERS.includes(value)) throw new TypeError(`${name} is '${value}', which is not an identifier`);
  }
}

/** Responses of the contract have some kilobytes. */
const BODY_BYTES_MAX = 1_048_576;

export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** The parts of a response that openapi-fetch uses, with a limit on the body. */
export function limitResponse(response: Response): Response {
  const { ok, status, headers } = response;
  const text = () => readText(response);
  return { ok, status, headers, text, json: async () => JSON.parse(await text()) } as Response;
}

/** The text of a body. The body of an error ends at the limit; a success without its end is of no use. */
async function readText(response: Response): Promise<string> {
  const { body, headers, ok } = response;
  // A decompressed body is longer than its content-length.
  const length = headers.has('content-encoding') ? undefined : headers.get('content-length');
  if (!body || (length && Number(length) <= BODY_BYTES_MAX)) return response.text();
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > BODY_BYTES_MAX) {
      await reader.cancel();
      if (ok) throw new BodyTooLarge(`the body has more than ${BODY_BYTES_MAX} bytes`);
      return text;
    }
    text += decoder.decode(value, { stream: true });
  }
}
