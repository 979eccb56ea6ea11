/**
 * Routes created from the operations of a document: the contract, or one of the gateway's own APIs. An operation without
 * a handler, or a handler without an operation, stops the start.
 */
import type { Hono } from 'hono';
import type { Operation } from '../../../contract/src/model.ts';
import { type RequestTables, requestCheck } from '../../../contract/src/request-check.ts';
import type { Merchant } from '../merchants/merchants.ts';
import type { Authentication } from './auth.ts';
import { readJson } from './body.ts';
import type { HttpContext, HttpEnv, OperationHandler } from './context.ts';
import { successStatus, type WireContract } from './contract.ts';
import { EventStream } from './event-stream.ts';
import { type GatewayApi, type OperationAccess, type ReadDocument, readApiDocument } from './gateway-apis.ts';
import { idForLog } from './observe.ts';
import { invalid, RAISED } from './problems.ts';
import { respond, respondJson } from './responses.ts';

export interface RouteOptions {
  readonly contract: WireContract;
  /** By operationId. */
  readonly handlers: Readonly<Record<string, OperationHandler>>;
  readonly bodyBytesMax: number;
  readonly checkResponse?: ResponseCheck | undefined;
  readonly requestFaults?: RequestFaults | undefined;
}

/**
 * Injects a fault into an authenticated request: throws a problem or NoResponse, or sets `cut`. Returns undefined if
 * there is no delay.
 */
export type RequestFaults = (c: HttpContext, merchantId: number) => Promise<void> | undefined;

/** Throws if the body of a success violates the contract, which results in a 500. For tests. */
export type ResponseCheck = (operationId: string, status: number, body: unknown) => void;

/** Adds a route for each operation of the contract. */
export function addApiRoutes(
  app: Hono<HttpEnv>,
  { contract, handlers, bodyBytesMax, checkResponse, requestFaults }: RouteOptions,
  { authenticate }: Authentication,
): void {
  const { operations, problems } = contract;
  const unknown = RAISED.filter((name) => !problems.has(name)).map((name) => `the problem ${name} is not in it`);
  requireHandlers('the contract', operations, handlers, unknown);
  const statuses = new Map(operations.map((described) => [described.id, successStatus(described)]));
  addRoutes<OperationHandler, Merchant>(app, operations, {
    ...{ handlers, bodyBytesMax },
    admit: () =>
      requestFaults
        ? async (c) => {
            const merchant = await authenticate(c);
            const fault = requestFaults(c, merchant.id);
            if (fault) await fault;
            return merchant;
          }
        : authenticate,
    run: (operation, { operationId, caller: merchant, parameters, body }) => {
      const result = operation({ merchant, parameters, body });
      if (!checkResponse) return result;
      return result.then((value) => {
        checkResponse(operationId, statuses.get(operationId) ?? 200, value);
        return value;
      });
    },
  });
}

/** An authenticated and validated request. */
export interface AdmittedRequest<Caller> {
  readonly operationId: string;
  readonly caller: Caller;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly c: HttpContext;
}

interface Routes<Handler, Caller> {
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Defaults to the contract's. */
  readonly validators?: RequestTables;
  readonly bodyBytesMax: number;
  /** Takes a missing body as an empty object, since a body is optional if all of its members are. */
  readonly optionalBodies?: true;
  /** Authenticates requests to an operation, and returns their sender. */
  readonly admit: (operationId: string) => (c: HttpContext) => Caller | Promise<Caller>;
  readonly run: (handler: Handler, request: AdmittedRequest<Caller>) => Promise<unknown>;
  /** Prefix of the operations' names in the log and the metrics, if other APIs use the same names. */
  readonly prefix?: string;
}

interface GatewayApiRoutes<Handler, Caller> extends Omit<Routes<Handler, Caller>, 'admit' | 'optionalBodies'> {
  readonly api: GatewayApi;
  readonly readDocument: ReadDocument;
  readonly admit: (access: OperationAccess) => (c: HttpContext) => Caller | Promise<Caller>;
}

/** Adds a route for each operation of one of the gateway's own APIs. */
export function addGatewayApiRoutes<Handler, Caller>(
  app: Hono<HttpEnv>,
  { api, readDocument, admit, ...routes }: GatewayApiRoutes<Handler, Caller>,
): void {
  const { operations, access } = readApiDocument(api, readDocument);
  requireHandlers(`the document of the ${api} API`, operations, routes.handlers);
  addRoutes<Handler, Caller>(app, operations, {
    ...routes,
    optionalBodies: true,
    admit: (id) => admit(access.get(id) as OperationAccess),
  });
}

/** Handles a request in this order: authentication, the body, the check against the document, the operation. */
function addRoutes<Handler, Caller>(
  app: Hono<HttpEnv>,
  operations: readonly Operation[],
  { handlers, validators, bodyBytesMax, optionalBodies, admit, run, prefix = '' }: Routes<Handler, Caller>,
): void {
  for (const described of inRoutingOrder(operations)) {
    const { id: operationId, method, path } = described;
    const handler = handlers[operationId] as Handler;
    const status = successStatus(described);
    const check = requestCheck(described, validators);
    const authenticate = admit(operationId);
    const isRead = method === 'get';
    const isBodyOptional = optionalBodies && described.request !== undefined;
    const idParameter = described.parameters.find((parameter) => parameter.in === 'path')?.name;
    app.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), async (c) => {
      const request = c.get('request');
      request.operation = prefix + operationId;
      request.route = path;
      const caller = await authenticate(c);
      const body = (isRead ? undefined : await readJson(c, bodyBytesMax)) ?? (isBodyOptional ? {} : undefined);
      const params: Record<string, string> = c.req.param();
      if (idParameter !== undefined) request.transactionId = idForLog(params[idParameter]);
      const { parameters, violations } = check({ params, query: readQuery(c), body });
      if (violations.length > 0) throw invalid(violations);
      request.transactionId ??= idForLog(parameters['transaction_id']);
      const result = await run(handler, { operationId, caller, parameters, body, c });
      if (result === undefined) return respond(c, 204, null);
      if (result instanceof EventStream) return streamResponse(c, status, result);
      request.transactionId ??= (result as { transaction_id?: string }).transaction_id;
      return respondJson(c, status, result);
    });
  }
}

/** Sorts literal paths before paths with parameters, because Hono uses the first match. */
function inRoutingOrder(operations: readonly Operation[]): Operation[] {
  const order = ({ path }: Operation) => path.replaceAll('{', '\uffff');
  return [...operations].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** The query parameters. A repeated one has an array of values. */
function readQuery(c: HttpContext): Readonly<Record<string, string | string[]>> {
  const given = c.req.queries();
  return Object.fromEntries(
    Object.entries(given).map(([name, values]) => [name, values.length === 1 ? (values[0] as string) : values]),
  );
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  // Proxies must neither buffer a stream nor merge its messages.
  'x-accel-buffering': 'no',
  // A kept-alive connection would delay the gateway's end until its client or a timeout closes it.
  connection: 'close',
};

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
function requireHandlers(
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
