/**
 * Sends one request and reads its answer, with openapi-fetch's types, headers and middleware. Its own client is not
 * used: it prepares every call for serializers that this contract does not need, and makes a Request that fetch then
 * makes once more. That was more than half of what a call cost beyond fetch, and 1.7 kB.
 */
import { type HeadersOptions, type Middleware, mergeHeaders } from 'openapi-fetch';
import { Failure, problemOf } from './errors.ts';

type Values = Readonly<Record<string, unknown>>;
type Fetch = (request: Request) => Promise<Response>;

/** What is being called; `path` is the contract's template, so it holds no identifiers. */
export interface CallInfo {
  /** Counts the calls of a client: the same for all attempts of one. */
  id: number;
  method: string;
  path: string;
  /** 1 for the first. */
  attempt: number;
}

/** Headers that authenticate a call, or a function that gives them anew for each attempt. */
export type Auth =
  | Record<string, string>
  | ((call: CallInfo) => Record<string, string> | Promise<Record<string, string>>);

export interface Init {
  params?: { path?: Values; query?: Values };
  body?: unknown;
  headers?: HeadersOptions | undefined;
  signal?: AbortSignal | null | undefined;
}
export interface Result {
  data?: unknown;
  error?: unknown;
  response: Response;
}
export interface Sender {
  /**
   * `signal` stands for that of the call. Rejects with a Failure when there is no usable answer; what else it rejects
   * with is a mistake on this side, or what `auth` or a middleware has thrown.
   */
  send(call: CallInfo, init: Init, signal: AbortSignal): Promise<Result>;
  use(...added: Middleware[]): void;
  eject(...removed: Middleware[]): void;
}
interface SenderOptions {
  baseUrl: string;
  /** Headers of every request. */
  headers: HeadersOptions;
  /** Is asked for further ones if it is a function. */
  auth: Auth | undefined;
  fetch: Fetch | undefined;
}

const JSON_BODY = { 'content-type': 'application/json' };

/** Sends to one service, through the middleware that is in use at the time. */
export function createSender({ baseUrl, headers: common, auth, fetch: own }: SenderOptions): Sender {
  const base = baseUrl.replace(/\/$/, '');
  // Few calls have headers of their own, so those of all others are made once.
  const plain = mergeHeaders(common);
  const withBody = mergeHeaders(JSON_BODY, common);
  let chain: readonly Middleware[] = [];

  // Fetch makes a Request of its own, so there is another one only where somebody sees it.
  const about = (request: Request, schemaPath: string, params: object) =>
    ({
      request,
      schemaPath,
      params,
      id: Math.random().toString(36).slice(2),
      options: { baseUrl: base, fetch: own ?? fetch },
    }) as About;

  return {
    async send(call, { params = {}, body, headers, ...others }, signal) {
      const { method, path } = call;
      const url = urlOf(base + path, params);
      const usual = body ? withBody : plain;
      const asked = typeof auth === 'function' ? await auth(call) : undefined;
      const init: RequestInit = {
        // An answer that leads elsewhere would take the credentials and the body with it.
        redirect: 'manual',
        ...others,
        method,
        signal,
        body: JSON.stringify(body),
        headers: asked || headers ? mergeHeaders(usual, asked, headers) : usual,
      };
      const seen = own || chain[0];
      let response: Response | undefined;
      let text: string;
      try {
        response = seen
          ? await sendThrough(chain, about(new Request(url, init), path, params))
          : await fetch(url, init);
        text = await response.text();
      } catch (thrown) {
        // Middleware throws errors of its own, so sendThrough says itself which are a lost connection.
        throw seen && !response ? thrown : new Failure('NETWORK', thrown, response);
      }
      return response.ok ? { data: parse(text, response), response } : { error: problemOf(text, response), response };
    },
    use(...added) {
      chain = [...chain, ...added];
    },
    eject(...removed) {
      chain = chain.filter((one) => !removed.includes(one));
    },
  };
}

function parse(text: string, response: Response): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Failure('INVALID_ANSWER', cause, response);
  }
}

function urlOf(template: string, { path = {}, query = {} }: { path?: Values; query?: Values }): string {
  let url = template;
  for (const name in path) {
    const value = `${path[name] ?? ''}`;
    // To URLs these are folders, so the request would go to another path.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} '${value}' is not an identifier`);
    url = url.replace(`{${name}}`, encodeURIComponent(value));
  }
  let mark = '?';
  for (const name in query) {
    if (query[name] == null) continue;
    url += `${mark}${name}=${encodeURIComponent(`${query[name]}`)}`;
    mark = '&';
  }
  return url;
}

type About = Parameters<NonNullable<Middleware['onRequest']>>[0];

/** Goes inwards in the order of the middleware and outwards in the reverse; an answer on the way in ends the way. */
async function sendThrough(chain: readonly Middleware[], about: About): Promise<Response> {
  // Taken out, since a browser's fetch must not be called as a method of something else.
  const { fetch } = about.options;
  let { request } = about;
  for (const one of chain) {
    const given = await one.onRequest?.({ ...about, request });
    if (given instanceof Response) return given;
    request = given ?? request;
  }
  refuseRead(request);
  // Fetch refuses this by itself, but not everybody's own does.
  about.request.signal.throwIfAborted();
  const outwards = [...chain].reverse();
  let response: Response | undefined;
  try {
    response = await fetch(request);
  } catch (thrown) {
    let error = thrown;
    for (const one of outwards) {
      const given = await one.onError?.({ ...about, request, error });
      if (given instanceof Response) {
        response = given;
        break;
      }
      error = given ?? error;
    }
    if (!response) throw new Failure('NETWORK', error);
  }
  for (const one of outwards) response = (await one.onResponse?.({ ...about, request, response })) ?? response;
  refuseRead(response);
  return response;
}

function refuseRead({ bodyUsed }: Request | Response): void {
  if (bodyUsed) throw new TypeError('a middleware has read the body: let it read that of clone()');
}
