/** Calls the gateway's own APIs over HTTP, typed by their documents. */
import {
  type BodyOf,
  type GatewayApi,
  type OperationId,
  type ParametersOf,
  type ResultOf,
  readApiDocument,
} from '../http/gateway-apis.ts';

export type { BodyOf, OperationId, ResultOf } from '../http/gateway-apis.ts';

export interface ApiCall<Api extends GatewayApi, Id extends OperationId<Api>> {
  readonly path?: ParametersOf<Api, Id, 'path'>;
  readonly query?: ParametersOf<Api, Id, 'query'>;
  readonly body?: BodyOf<Api, Id>;
}

export interface Access {
  /** Base URL of the gateway. */
  readonly url: string;
  /** Of the merchant, or of the operator. */
  readonly key: string;
  /** Carries the requests, where no server listens at the URL. Defaults to the global one. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** An error response of the gateway. The message is the problem's detail with the violations. */
export class ApiError extends Error {
  readonly status: number;
  /** The body of the response: a problem (RFC 9457). */
  readonly problem: Readonly<Record<string, unknown>>;
  /** `Retry-After`. */
  readonly retryAfterMs: number | undefined;
  constructor(message: string, status: number, problem: Readonly<Record<string, unknown>>, retryAfterMs?: number) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Reads the refusal of a call. A proxy may have written it, so the body need not be a problem. */
export async function readRefusal(purpose: string, response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => '');
  const problem = parseObject(text) ?? {};
  const seconds = Number(headers.get('retry-after') ?? undefined);
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : undefined;
  return new ApiError(explainProblem(purpose, status, problem), status, problem, retryAfterMs);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Calls operations of an API by their ids. */
export type CallApi<Api extends GatewayApi> = <Id extends OperationId<Api>>(
  id: Id,
  options?: ApiCall<Api, Id>,
) => Promise<ResultOf<Api, Id>>;

/** Calls an operation of the sandbox. Throws an ApiError if the response isn't a success. */
export const callSandbox = createCaller('sandbox');

/** Calls an operation of the management API. Throws an ApiError if the response isn't a success. */
export const callManagement = createCaller('management');

function createCaller<Api extends GatewayApi>(api: Api) {
  return async <Id extends OperationId<Api>>(
    access: Access,
    id: Id,
    { path, query, body }: ApiCall<Api, Id> = {},
  ): Promise<ResultOf<Api, Id>> => {
    const target = requestTarget(api, id, path as object | undefined, query as object | undefined);
    const { value } = await sendRequest(access, { purpose: id, method: findRoute(api, id).method, target, body });
    return value as ResultOf<Api, Id>;
  };
}

export interface SentRequest {
  /** Names the request in errors. */
  readonly purpose: string;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly body?: unknown;
}

/** Sends a request, and reads the response: JSON, or a text of another type. Throws an ApiError for a refusal. */
export async function sendRequest(
  { url, key, fetch = globalThis.fetch }: Access,
  { purpose, method, target, body }: SentRequest,
): Promise<{ readonly status: number; readonly value: unknown }> {
  const response = await fetch(`${url}${target}`, {
    method,
    // A dedicated agent: fetch reuses connections only after timers, which the caller's test may have faked.
    headers: {
      authorization: `Bearer ${key}`,
      connection: 'close',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw await readRefusal(purpose, response);
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, value: text === '' ? undefined : isJson ? JSON.parse(text) : text };
}

/** Reads the pages of a list, or makes a change part by part, until the end. */
export async function* readPages<Page extends { readonly next_cursor?: string }>(
  read: (query: { readonly cursor?: string }) => Promise<Page>,
): AsyncGenerator<Page> {
  for (let query = {}, more = true; more; ) {
    const page = await read(query);
    yield page;
    query = { cursor: page.next_cursor };
    more = page.next_cursor !== undefined;
  }
}

export function requestTarget(api: GatewayApi, id: string, path: object = {}, query: object = {}): string {
  const values = path as Readonly<Record<string, string>>;
  const filled = findRoute(api, id).path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
  return search.size > 0 ? `${filled}?${search}` : filled;
}

export interface Problem {
  readonly detail?: string;
  readonly violations?: readonly BodyViolation[];
}

export interface BodyViolation {
  readonly pointer: string;
  readonly message: string;
}

/** A refusal in words: the problem's detail, and a line for each violation. */
function explainProblem(
  purpose: string,
  status: number,
  { detail = 'no explanation', violations = [] }: Problem,
): string {
  return [`${purpose}: ${status}, ${detail}`, ...violations.map(describeViolation)].join('\n');
}

export function describeViolation({ pointer, message }: BodyViolation): string {
  return `${pointer || 'the body'} ${message}`;
}

interface Route {
  /** In capitals. */
  readonly method: string;
  /** With names of parameters in braces. */
  readonly path: string;
}

const read = new Map<GatewayApi, Readonly<Record<string, Route>>>();

/** Reads a document at the first call, since most commands that could call an API don't. Throws for an unknown operation. */
function findRoute(api: GatewayApi, id: string): Route {
  const routes = read.get(api) ?? indexRoutes(api);
  read.set(api, routes);
  const route = routes[id];
  if (!route) throw new Error(`the ${api} API has no operation ${id}`);
  return route;
}

function indexRoutes(api: GatewayApi): Readonly<Record<string, Route>> {
  const { operations } = readApiDocument(api);
  return Object.fromEntries(operations.map(({ id, method, path }) => [id, { method: method.toUpperCase(), path }]));
}
