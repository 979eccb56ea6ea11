/**
 * The API's routes, made from the contract's operations. An operation without a handler, or a handler without an
 * operation, stops the start.
 */
import type { Operation as Described } from '../../../contract/src/model.ts';
import { OPERATIONS } from '../operations/index.ts';
import type { OperationHandler, Services } from '../operations/operation.ts';

import { inSpan } from '../platform/tracing.ts';

import { successStatus, type WireContract } from '../wire/contract.ts';

import { RAISED } from '../wire/problems.ts';
import type { Authentication } from './auth.ts';
import { readJson } from './body.ts';
import { documentedRoute, type RouteHandler, requireHandlers } from './documented-routes.ts';
import { idForLog } from './observe.ts';
import { parameterReader } from './request-check.ts';
import type { Route } from './router.ts';
import type { ServedRequest } from './served-request.ts';

export interface RouteOptions {
  readonly contract: WireContract;
  readonly services: Services;
  readonly bodyBytesMax: number;
  readonly checkResponse?: ResponseCheck | undefined;
  readonly requestFaults?: RequestFaults | undefined;
}

/**
 * Lets an authenticated request go wrong on purpose: throws the problem that the client gets, or NoResponse, or says in
 * `cut` how its response goes wrong. Returns undefined if nothing has to be waited for.
 */
export type RequestFaults = (request: ServedRequest, merchantId: number) => Promise<void> | undefined;

/** Throws when the body of a success is not what the contract says; the client then gets a 500. For tests. */
export type ResponseCheck = (operationId: string, status: number, body: unknown) => void;

/** A route for each operation. Throws when handlers and contract differ. */
export function apiRoutes(options: RouteOptions, { authenticate }: Authentication): Route[] {
  const { operations, problems } = options.contract;
  const unknown = RAISED.filter((name) => !problems.has(name)).map((name) => `the problem ${name} is not in it`);
  requireHandlers('the contract', operations, OPERATIONS, unknown);
  return operations.map((described) => documentedRoute(described, handlerOf(options, authenticate, described)));
}

/** Handles a request in this order: authentication, faults, the body, the check against the contract, the operation. */
function handlerOf(
  { services, bodyBytesMax, checkResponse, requestFaults }: RouteOptions,
  authenticate: Authentication['authenticate'],
  described: Described,
): RouteHandler {
  const { id } = described;
  const operation = OPERATIONS[id] as OperationHandler;
  const status = successStatus(described);
  const isRead = described.method === 'get';
  const check = parameterReader(described);
  const idParameter = described.parameters.find((parameter) => parameter.in === 'path')?.name;
  return async (request) => {
    const merchant = await authenticate(request);
    const fault = requestFaults?.(request, merchant.id);
    if (fault) await fault;
    const body = isRead ? undefined : await readJson(request, bodyBytesMax);
    if (idParameter !== undefined) request.transactionId = idForLog(request.parameters[idParameter]);
    const parameters = check({ params: request.parameters, query: request.query, body });
    const result = await operation(inSpan(services, request.span), { merchant, parameters, body });
    request.transactionId ??= (result as { transaction_id?: string }).transaction_id;
    checkResponse?.(id, status, result);
    return result;
  };
}
