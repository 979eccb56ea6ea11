/** The request context: Hono's context with the connection and facts about the request. */

import type { Context } from 'hono';
import type { Violation } from '../../../generated/types.ts';
import type { Merchant } from '../merchants/merchants.ts';
import { performance } from '../platform/timers.ts';
import type { Span } from '../platform/tracing.ts';

/** A request's connection, described by the server that received it. */
export interface Connection {
  /** Address of the client. Behind a trusted proxy, the address that the proxy names. */
  readonly address: string;
  /** Requested host and port. Empty without a host. */
  readonly host: string;
  readonly protocol: string;
  /** Path and query as sent. A URL has them normalized. */
  readonly target: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly hasBody: boolean;
  /** A violated rule of HTTP. */
  readonly violation?: Violation | undefined;
  /** Ends the connection immediately. Absent without a connection. */
  readonly cut?: () => void;
  /** Calls back when the client ends its side, as a client does that stops reading a stream. */
  readonly onClientEnd?: (callback: () => void) => void;
}

/** A body as it arrived. */
interface ReceivedBody {
  readonly text: string;
  readonly bytes: number;
}

/** The parts of a response that the request log shows. */
interface SentResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Facts about a request, for its log line, its metrics, its span and the request log. */
export class RequestContext {
  readonly id: string;
  /** Origin at which browsers reach the gateway, if it is known. */
  readonly publicOrigin: string | undefined;
  /** By performance.now. */
  readonly beganAt = performance.now();
  /** Id of the contract's operation, `probe` for health and metrics, or `other`. */
  operation = 'other';
  /** The path of the route, with names in place of its parameters. */
  route: string | undefined;
  /** Set once the request is authenticated by a merchant's key, or in a session. */
  merchant: Merchant | undefined;
  /** Id of the merchant's API key, which is not the key itself. */
  keyId: string | undefined;
  /** Id of the operator who sent the request to the management API. */
  operatorId: string | undefined;
  /** Undefined without traces, and for probes. */
  span: Span | undefined;
  /** The transaction of the request, once known. */
  transactionId: string | undefined;
  /** Undefined without one, or if the request was refused before it was read. */
  received: ReceivedBody | undefined;
  sent: SentResponse | undefined;
  /** A deliberate fault of the response: the connection ends before it, or in the middle of its body. */
  cut: 'before' | 'midway' | undefined;

  constructor(id: string, publicOrigin?: string) {
    this.id = id;
    this.publicOrigin = publicOrigin;
  }
}

export interface HttpEnv {
  Bindings: Connection;
  Variables: { request: RequestContext };
}

export type HttpContext = Context<HttpEnv>;

/** The status of a request without a response, as in nginx's log. */
export const CLIENT_CLOSED_REQUEST = 499;

/** Thrown to end a request without a response, because its client has disconnected or a fault is simulated. */
export class NoResponse extends Error {}

/** The rejection of `fetch` for a closed connection. */
export class ConnectionCut extends TypeError {
  constructor() {
    super('the gateway closed the connection');
  }
}

/** The connection of a request without one: a call of `fetch` in a page, a worker or a test. */
export function localConnection(request: Request, basePath: string): Connection {
  const { host, protocol, pathname, search } = new URL(request.url);
  return {
    // All are one client.
    address: 'local',
    host,
    protocol: protocol.slice(0, -1),
    target: pathname.slice(basePath.length) + search,
    headers: Object.fromEntries(request.headers),
    // Firefox has no `body`, so a media type indicates one.
    hasBody: request.body === undefined ? request.headers.has('content-type') : request.body !== null,
  };
}

/** An authenticated request that conforms to the contract. */
export interface Call<Body = unknown, Parameters = Record<string, string>> {
  readonly merchant: Merchant;
  readonly parameters: Parameters;
  readonly body: Body;
}

/** Returns the body of the operation's success response; throws a ProblemError otherwise. */
// biome-ignore lint/suspicious/noExplicitAny: each operation narrows its call; the routes check it before.
export type OperationHandler = (call: Call<any, any>) => Promise<unknown>;
