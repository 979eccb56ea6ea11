/**
 * Creates one route with its handler for each operation of a document, for the contract and for the gateway's own APIs.
 */

import type { Hono } from 'hono';
import type { Operation } from '../../../contract/src/model.ts';
import {
  requestCheck as contractCheck,
  type RequestTables,
  type RoutedRequest,
} from '../../../contract/src/request-check.ts';
import { readJson } from './body.ts';
import type { HttpContext, HttpEnv } from './context.ts';
import { successStatus } from './contract.ts';
import { EventStream } from './event-stream.ts';
import { type GatewayApi, type OperationAccess, type ReadDocument, readApiDocument } from './gateway-apis.ts';
import { idForLog } from './observe.ts';
import { invalid } from './problems.ts';
import { respond, respondJson } from './responses.ts';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  // Proxies must neither buffer a stream nor merge its messages.
  'x-accel-buffering': 'no',
  // A kept-alive connection would delay the gateway's end until its client or a timeout closes it.
  connection: 'close',
};

/** Returns the body of the success: JSON, a stream, or undefined if there is none. */
export type RouteHandler = (c: HttpContext) => Promise<unknown>;

/** Routes an operation to its handler. The log and the metrics know it by `name`. */
export function addOperation(
  app: Hono<HttpEnv>,
  described: Operation,
  handle: RouteHandler,
  name = described.id,
): void {
  const status = successStatus(described);
  app.on(described.method, described.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (c) => {
    const request = c.get('request');
    request.operation = name;
    request.route = described.path;
    const result = await handle(c);
    if (result instanceof EventStream) return streamResponse(c, status, result);
    return result === undefined ? respond(c, 204, null) : respondJson(c, status, result);
  });
}

/** Sorts literal paths before paths with parameters, because Hono uses the first match. */
export function inRoutingOrder(operations: readonly Operation[]): Operation[] {
  const order = ({ path }: Operation) => path.replaceAll('{', '\uffff');
  return [...operations].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** The query parameters. A repeated one has an array of values. */
export function readQuery(c: HttpContext): Readonly<Record<string, string | string[]>> {
  const given = c.req.queries();
  return Object.fromEntries(
    Object.entries(given).map(([name, values]) => [name, values.length === 1 ? (values[0] as string) : values]),
  );
}

function streamResponse(c: HttpContext, status: number, stream: EventStream): Response {
  const response = respond(c, status, null, STREAM_HEADERS);
  if (c.req.method === 'HEAD') {
    void stream.readable.cancel();
    return response;
  }
  const { cut, onClientEnd } = c.env;
  if (cut) stream.onCut(cut);
  onClientEnd?.(() => stream.end());
  // In a page, the aborted request doesn't cancel the stream.
  c.req.raw.signal.addEventListener('abort', () => stream.end(), { once: true });
  return new Response(stream.readable, response);
}

/** Throws for each operation of the document without a handler, each handler without an operation, and `others`. */
export function requireHandlers(
  document: string,
  operations: readonly Operation[],
  handlers: Readonly<Record<string, unknown>>,
  others: readonly string[] = [],
): void {
  const described = new Set(operations.map(({ id }) => id));
  const complaints = [
    ...[...described].filter((id) => !Object.hasOwn(handlers, id)).map((id) => `the operation ${id} has no handler`),
    ...Object.keys(handlers)
      .filter((id) => !described.has(id))
      .map((id) => `the handler ${id} has no operation`),
    ...others,
  ];
  if (complaints.length > 0) throw new Error(`the gateway and ${document} differ: ${complaints.join('; ')}`);
}

/** Returns the parameters of a valid request. Otherwise throws the problem with all violations. */
type ParameterReader = (request: RoutedRequest) => Readonly<Record<string, string>>;

/** Creates the check of an operation with the validators of its document, by default the contract. */
export function parameterReader(operation: Operation, tables?: RequestTables): ParameterReader {
  const check = contractCheck(operation, tables);
  return (request) => {
    const { parameters, violations } = check(request);
    if (violations.length > 0) throw invalid(violations);
    return parameters;
  };
}

/** An authenticated and validated request. */
export interface AdmittedRequest<Caller> {
  readonly operationId: string;
  readonly caller: Caller;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly c: HttpContext;
}

interface GatewayApiRoutes<Handler, Caller> {
  readonly api: GatewayApi;
  readonly readDocument: ReadDocument;
  /** By the document's operationId. */
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly validators: RequestTables;
  readonly bodyBytesMax: number;
  /** Authenticates requests to an operation, and returns their sender. */
  readonly admit: (access: OperationAccess) => (c: HttpContext) => Caller | Promise<Caller>;
  readonly run: (handler: Handler, request: AdmittedRequest<Caller>) => Promise<unknown>;
  /** Prefix of the operations' names in the log and the metrics, if other APIs use the same names. */
  readonly prefix?: string;
}

/** Adds a route for each operation. An operation without a handler, or a handler without an operation, stops the start. */
export function addGatewayApiRoutes<Handler, Caller>(
  app: Hono<HttpEnv>,
  routes: GatewayApiRoutes<Handler, Caller>,
): void {
  const { api, readDocument, handlers, validators, bodyBytesMax, admit, run, prefix = '' } = routes;
  const { operations, access } = readApiDocument(api, readDocument);
  requireHandlers(`the document of the ${api} API`, operations, handlers);
  for (const described of inRoutingOrder(operations)) {
    const { id: operationId } = described;
    const handler = handlers[operationId] as Handler;
    const check = parameterReader(described, validators);
    const letIn = admit(access.get(operationId) as OperationAccess);
    const handle = async (c: HttpContext) => {
      const caller = await letIn(c);
      // A body is optional if all of its members are.
      const body = (await readJson(c, bodyBytesMax)) ?? (described.request ? {} : undefined);
      const parameters = check({ params: c.req.param(), query: readQuery(c), body });
      c.get('request').transactionId = idForLog(parameters['transaction_id']);
      return run(handler, { operationId, caller, parameters, body, c });
    };
    addOperation(app, described, handle, prefix + operationId);
  }
}
