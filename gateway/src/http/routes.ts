/**
 * The API's routes, made from the contract's operations. An operation without a handler, or a handler without an
 * operation, stops the start.
 */
import type { FastifyInstance, onRequestHookHandler, onSendHookHandler } from 'fastify';
import type { Operation as Described } from '../../../contract/src/model.ts';
import { type Contract, successStatus } from '../contract/contract.ts';
import { RAISED } from '../contract/problems.ts';
import { OPERATIONS } from '../operations/index.ts';
import type { Operation, Services } from '../operations/operation.ts';
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
  compareWithContract(options.contract);
  for (const described of options.contract.operations) addRoute(app, options, authenticate, described);
}

function addRoute(
  app: FastifyInstance,
  { services, checkResponse, requestFaults }: RouteOptions,
  authenticate: onRequestHookHandler,
  described: Described,
): void {
  const { id, method, path } = described;
  const operation = OPERATIONS[id] as Operation;
  const status = successStatus(described);
  const check = requestCheck(described);
  const idParameter = described.parameters.find((parameter) => parameter.in === 'path')?.name;
  app.route({
    method: method.toUpperCase(),
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    onRequest: [
      (request, _reply, done) => {
        request.operation = id;
        done();
      },
      authenticate,
      ...(requestFaults ? [requestFaults.onRequest] : []),
    ],
    onSend: requestFaults ? [requestFaults.onSend] : [],
    handler: async (request, reply) => {
      if (idParameter !== undefined) request.transactionId = (request.params as Record<string, string>)[idParameter];
      const parameters = check(request);
      const result = await operation(services, { merchant: request.merchant, parameters, body: request.body });
      request.transactionId ??= (result as { transaction_id?: string }).transaction_id;
      checkResponse?.(id, status, result);
      reply.code(status).header('content-type', 'application/json; charset=utf-8');
      // Not the reply itself, whose end Fastify would wait for.
      return JSON.stringify(result);
    },
  });
}

function compareWithContract(contract: Contract): void {
  const described = new Set(contract.operations.map(({ id }) => id));
  const missing = [...described].filter((id) => !OPERATIONS[id]);
  const surplus = Object.keys(OPERATIONS).filter((id) => !described.has(id));
  const unknown = RAISED.filter((name) => !contract.problems.has(name));
  const complaints = [
    ...missing.map((id) => `the contract's operation ${id} has no handler`),
    ...surplus.map((id) => `the handler ${id} has no operation in the contract`),
    ...unknown.map((name) => `the problem ${name} is not in the contract`),
  ];
  if (complaints.length > 0) throw new Error(`gateway and contract differ: ${complaints.join('; ')}`);
}
