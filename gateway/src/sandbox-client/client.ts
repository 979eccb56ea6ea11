/** Calls the sandbox of a gateway over HTTP, typed by its document. */
import type { operations } from '../../../generated/sandbox/types.ts';
import { routeOf } from './routes.ts';

export type OperationId = keyof operations;

type Content<T> = T extends { content: { 'application/json': infer Body } } ? Body : undefined;
type Parameters<Id extends OperationId, In extends string> = operations[Id]['parameters'] extends { [K in In]: infer P }
  ? P
  : object;

/** The body of the operation's request. */
export type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody?: infer Body }
  ? Content<NonNullable<Body>>
  : undefined;

/** The body of the operation's success. */
export type ResultOf<Id extends OperationId> = operations[Id]['responses'] extends infer R
  ? R extends { 200: infer Success }
    ? Content<Success>
    : R extends { 201: infer Success }
      ? Content<Success>
      : undefined
  : never;

export interface CallOptions<Id extends OperationId> {
  readonly path?: Parameters<Id, 'path'>;
  readonly query?: Parameters<Id, 'query'>;
  readonly body?: BodyOf<Id>;
}

export interface Access {
  /** Base URL of the gateway. */
  readonly url: string;
  /** API key of the merchant. */
  readonly key: string;
  /** Carries the requests, where no server listens at the URL. Defaults to the global one. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The gateway refused a call. The message is the problem's detail, with what is wrong where. */
export class SandboxError extends Error {
  readonly status: number;
  /** The body of the response: a problem (RFC 9457). */
  readonly problem: Readonly<Record<string, unknown>>;
  constructor(message: string, status: number, problem: Readonly<Record<string, unknown>>) {
    super(message);
    this.name = 'SandboxError';
    this.status = status;
    this.problem = problem;
  }
}

/** Calls an operation. Throws a SandboxError if the response isn't a success. */
export async function callSandbox<Id extends OperationId>(
  { url, key, fetch = globalThis.fetch }: Access,
  id: Id,
  { path, query, body }: CallOptions<Id> = {},
): Promise<ResultOf<Id>> {
  const response = await fetch(`${url}${target(id, path as object | undefined, query as object | undefined)}`, {
    method: routeOf(id).method,
    // Connections of their own: fetch takes one again only after timers that the caller's test may have replaced.
    headers: {
      authorization: `Bearer ${key}`,
      connection: 'close',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed = text === '' ? undefined : JSON.parse(text);
  if (!response.ok) throw new SandboxError(explain(id, response.status, parsed ?? {}), response.status, parsed ?? {});
  return parsed as ResultOf<Id>;
}

/** Path and query of a call. */
export function target(id: OperationId, path: object = {}, query: object = {}): string {
  const values = path as Readonly<Record<string, string>>;
  const filled = routeOf(id).path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
  return search.size > 0 ? `${filled}?${search}` : filled;
}

interface Problem {
  readonly detail?: string;
  readonly violations?: readonly { readonly pointer: string; readonly message: string }[];
}

function explain(id: string, status: number, { detail = 'no explanation', violations = [] }: Problem): string {
  const places = violations.map(({ pointer, message }) => `${pointer || 'the body'} ${message}`);
  return [`${id}: ${status}, ${detail}`, ...places].join('\n');
}
