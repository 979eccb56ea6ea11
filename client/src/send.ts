/** One attempt of a call: openapi-fetch makes and reads it; here is what failed, and what must never be sent. */
import createClient, { defaultPathSerializer, type HeadersOptions, type Middleware } from 'openapi-fetch';
import type { paths } from '../../generated/types.ts';
import { checkHeaders } from './check-headers.ts';
import { AttemptFailure, readProblem } from './errors.ts';

/** The operation of a call; `path` is the contract's template, so it holds no identifiers. */
export interface CallInfo {
  /** Counts the calls of a client: the same for all attempts of one. */
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

export interface Init {
  headers?: HeadersOptions | undefined;
  signal?: AbortSignal | null | undefined;
}
export interface ApiResult {
  data?: unknown;
  error?: unknown;
  response: Response;
}
export interface ApiSender {
  /**
   * `signal` overrides that of the call. Rejects with a Failure if it gets no usable response. Any other rejection is a
   * bug on this side, or comes from `auth` or a middleware.
   */
  send(call: CallInfo, init: Init, signal: AbortSignal): Promise<ApiResult>;
  use(...added: Middleware[]): void;
  eject(...removed: Middleware[]): void;
}
interface SenderOptions {
  baseUrl: string;
  /** Headers of every request. */
  headers: HeadersOptions;
  /** If it is a function, it returns further ones. */
  auth: Auth | undefined;
  fetch: ((request: Request) => Promise<Response>) | undefined;
}

/** Sends to one service, through the middleware that is in use at the time. */
export function createApiSender({ auth, fetch: own, ...options }: SenderOptions): ApiSender {
  // Following a redirect would send the credentials and the body elsewhere.
  const core = createClient<paths>({ ...options, redirect: 'manual', pathSerializer });
  // Its types are those of single paths; the client's own types ask for the same.
  const request = core.request as unknown as (method: string, path: string, init: object) => Promise<ApiResult>;
  const chain: Middleware[] = [];

  return {
    async send(call, init, signal) {
      const { method, path } = call;
      const asked = typeof auth === 'function' ? await auth(call) : undefined;
      const headers = asked || init.headers ? joinHeaders(asked, init.headers) : undefined;
      const unseen = !own && chain.length === 0;
      let sent: Promise<Response> | undefined;
      const fetchOnce = (request: Request) => {
        // The built-in fetch checks this too, but the one of the options may not.
        signal.throwIfAborted();
        sent = own ? Promise.resolve(request).then(own) : unseen ? fetch(request.url, request) : fetch(request);
        return sent;
      };
      const middleware = chain.map(guard);
      const Request = unseen ? Draft : undefined;
      let result: ApiResult;
      try {
        result = await request(method, path, { ...init, headers, signal, middleware, fetch: fetchOnce, Request });
      } catch (thrown) {
        if (thrown instanceof Thrown) throw thrown.cause;
        if (!sent) throw thrown;
        const response = await sent.catch(() => undefined);
        // By name, since an error of another realm, such as in Jest, is an instance of another class.
        throw new AttemptFailure(
          Object(thrown).name === 'SyntaxError' ? 'INVALID_ANSWER' : 'NETWORK',
          thrown,
          response,
        );
      }
      const { data, error, response } = result;
      if (!response.ok) return { error: readProblem(error, response), response };
      if (data === undefined)
        throw new AttemptFailure('INVALID_ANSWER', new SyntaxError('the body is empty'), response);
      return result;
    },
    use(...added) {
      chain.push(...added);
    },
    eject(...removed) {
      for (const one of removed) if (chain.includes(one)) chain.splice(chain.indexOf(one), 1);
    },
  };
}

/**
 * A request that fetch has yet to make. Fetch makes one of its own from each that it gets, and a signal that passes
 * through both is dear, so where neither a middleware nor an own fetch sees a Request, openapi-fetch makes this one.
 */
class Draft {
  declare readonly url: string;
  constructor(url: string, init: RequestInit) {
    Object.assign(this, init, { url });
  }
}

/** An error from a middleware, marked to tell it from a failure of the connection. */
class Thrown {
  readonly cause: unknown;
  constructor(cause: unknown) {
    this.cause = cause;
  }
}

/** The middleware, with what it throws marked, and refused if it has read a body that others need. */
function guard(one: Middleware): Middleware {
  return {
    onRequest: (told) => marked(() => one.onRequest?.(told), told.request),
    onResponse: (told) => marked(() => one.onResponse?.(told), told.response),
    onError: (told) => marked(() => one.onError?.(told)),
  };
}

async function marked<T>(run: () => T, message?: Request | Response): Promise<Awaited<T>> {
  try {
    const given = await run();
    const { bodyUsed } = Object(given ?? message);
    if (bodyUsed) throw new TypeError('a middleware has read the body; read the body of clone() instead');
    return given;
  } catch (thrown) {
    throw new Thrown(thrown);
  }
}

/** Those of `auth` and then those of the call, in one record, since only a record can take one of the client's away. */
function joinHeaders(asked: Record<string, string> | undefined, given: HeadersOptions | undefined): object {
  const joined = { ...asked, ...(given instanceof Headers ? Object.fromEntries(given) : given) };
  checkHeaders(joined);
  return joined;
}

/** To a URL these are folders, so the request would go to another path. */
const FOLDERS = ['', '.', '..'];

function pathSerializer(template: string, path: Readonly<Record<string, unknown>>): string {
  for (const name in path) {
    const value = `${path[name] ?? ''}`;
    if (FOLDERS.includes(value)) throw new TypeError(`${name} is '${value}', which is not an identifier`);
  }
  return defaultPathSerializer(template, path);
}
