/**
 * The API's routes, created from the contract's operations. An operation without a handler, or a handler without an
 * operation, stops the start.
 */
import type { Hono } from 'hono';
import type { Operation as Described } from '../../../contract/src/model.ts';
import type { Authentication } from './auth.ts';
import { readJson } from './body.ts';
import type { HttpContext, HttpEnv, OperationHandler } from './context.ts';
import { successStatus, type WireContract } from './contract.ts';
import {
  addOperation,
  inRoutingOrder,
  parameterReader,
  type RouteHandler,
  readQuery,
  requireHandlers,
} from './documented-routes.ts';
import { idForLog } from './observe.ts';
import { RAISED } from './problems.ts';

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

/** Adds a route for each operation. Throws if handlers and contract differ. */
export function addApiRoutes(app: Hono<HttpEnv>, options: RouteOptions, { authenticate }: Authentication): void {
  const { operations, problems } = options.contract;
  const unknown = RAISED.filter((name) => !problems.has(name)).map((name) => `the problem ${name} is not in it`);
  requireHandlers('the contract', operations, options.handlers, unknown);
  for (const described of inRoutingOrder(operations)) {
    addOperation(app, described, createRouteHandler(options, authenticate, described));
  }
}

/** Handles a request in this order: authentication, faults, the body, the check against the contract, the operation. */
function createRouteHandler(
  { handlers, bodyBytesMax, checkResponse, requestFaults }: RouteOptions,
  authenticate: Authentication['authenticate'],
  described: Described,
): RouteHandler {
  const { id } = described;
  const operation = handlers[id] as OperationHandler;
  const status = successStatus(described);
  const isRead = described.method === 'get';
  const check = parameterReader(described);
  const idParameter = described.parameters.find((parameter) => parameter.in === 'path')?.name;
  return async (c) => {
    const merchant = await authenticate(c);
    const fault = requestFaults?.(c, merchant.id);
    if (fault) await fault;
    const request = c.get('request');
    const body = isRead ? undefined : await readJson(c, bodyBytesMax);
    const params: Record<string, string> = c.req.param();
    if (idParameter !== undefined) request.transactionId = idForLog(params[idParameter]);
    const parameters = check({ params, query: readQuery(c), body });
    const result = await operation({ merchant, parameters, body });
    request.transactionId ??= (result as { transaction_id?: string }).transaction_id;
    checkResponse?.(id, status, result);
    return result;
  };
}
