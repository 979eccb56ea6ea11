/**
 * The API's routes, made from the contract's operations. An operation without a handler, or a handler without an
 * operation, stops the start.
 */
import type { FastifyInstance, onRequestHookHandler, onSendHookHandler } from 'fastify';
import type { Operation as Described } from '../../../contract/src/model.ts';
import { OPERATIONS } from '../operations/index.ts';
import type { Operation, Services } from '../operations/operation.ts';
import { type Contract, successStatus } from '../wire/contract.ts';
import { RAISED } from '../wire/problems.ts';
import { addDocumentedRoute, type RouteService, requireHandlers } from './documented-routes.ts';
import { idForLog } from './observe.ts';
import { requestCheck } from './request-check.ts';

export interface RouteOptions {
  readonly contract: Contract;
  readonly services: Services;
  readonly checkResponse?: ResponseCheck | undefined;
  readonly requestFaults?: RequestFaults | undefined;
}

/** Hooks that let authenticated requests go wrong on purpose. */
export interface RequestFaults {
  readonly onRequest: onRequestHookHandler;
  readonly onSend: onSendHookHandler;
}

/** Throws when the body of a success is not what the contract says; the client then gets a 500. For tests. */
export type ResponseCheck = (operationId: string, status: number, body: unknown) => void;

/** Adds a route for each operation. Throws when handlers and contract differ. */
export function addRoutes(app: FastifyInstance, options: RouteOptions, authenticate: onRequestHookHandler): void {
  const { operations, problems } = options.contract;
  const unknown = RAISED.filter((name) => !problems.has(name)).map((name) => `the problem ${name} is not in it`);
  requireHandlers('the contract', operations, OPERATIONS, unknown);
  for (const described of operations) addDocumentedRoute(app, described, serviceOf(options, authenticate, described));
}

function serviceOf(
  { services, checkResponse, requestFaults }: RouteOptions,
  authenticate: onRequestHookHandler,
  described: Described,
): RouteService {
  const { id } = described;
  const operation = OPERATIONS[id] as Operation;
  const status = successStatus(described);
  const check = requestCheck(described);
  const idParameter = described.parameters.find((parameter) => parameter.in === 'path')?.name;
  return {
    onRequest: [authenticate, ...(requestFaults ? [requestFaults.onRequest] : [])],
    onSend: requestFaults ? [requestFaults.onSend] : [],
    async handle(request) {
      if (idParameter !== undefined) {
        request.transactionId = idForLog((request.params as Record<string, string>)[idParameter]);
      }
      const parameters = check(request);
      const result = await operation(services, { merchant: request.merchant, parameters, body: request.body });
      request.transactionId ??= (result as { transaction_id?: string }).transaction_id;
      checkResponse?.(id, status, result);
      return result;
    },
  };
}
