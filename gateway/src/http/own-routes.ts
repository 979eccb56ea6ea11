/** Routes of one of the gateway's own APIs, created from its document. */
import type { Hono } from 'hono';
import type { RequestTables } from '../../../contract/src/request-check.ts';
import { readJson } from './body.ts';
import type { HttpContext, HttpEnv } from './context.ts';
import { addOperation, inRoutingOrder, readQuery, requireHandlers } from './documented-routes.ts';
import { type GatewayApi, type OperationAccess, type ReadDocument, readApiDocument } from './gateway-apis.ts';
import { idForLog } from './observe.ts';
import { parameterReader } from './request-check.ts';

/** An authenticated and validated request. */
export interface AdmittedRequest<Caller> {
  readonly operationId: string;
  readonly caller: Caller;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly c: HttpContext;
}

export interface OwnRoutes<Handler, Caller> {
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
export function addOwnRoutes<Handler, Caller>(app: Hono<HttpEnv>, routes: OwnRoutes<Handler, Caller>): void {
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
