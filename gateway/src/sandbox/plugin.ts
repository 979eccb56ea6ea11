/**
 * The sandbox's routes, made from its document: nothing of it is part of the contract, and a live gateway has none of it. An
 * operation without a handler, or a handler without an operation, stops the start.
 */
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { Operation } from '../../../contract/src/model.ts';
import * as validators from '../../../generated/sandbox/validators.js';
import { readSandboxDocument } from '../contract/sandbox-document.ts';
import type { Authentication } from '../http/auth.ts';
import { addDocumentedRoute, type RouteService, requireHandlers } from '../http/documented-routes.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { requestCheck } from '../http/request-check.ts';
import type { SandboxCall, SandboxOperation, SandboxServices } from './operation.ts';
import { SANDBOX_OPERATIONS } from './operations/index.ts';

/** Who is let in. */
export interface Admission {
  readonly rates: RateLimits;
  readonly authentication: Authentication;
}

export interface SandboxOptions extends Admission {
  readonly services: SandboxServices;
}

/** Adds a route for each operation. */
export async function sandboxRoutes(
  app: FastifyInstance,
  { services, rates, authentication: { authenticate } }: SandboxOptions,
): Promise<void> {
  const { operations, open } = readSandboxDocument();
  requireHandlers("the sandbox's document", operations, SANDBOX_OPERATIONS);
  const countOpen: onRequestHookHandler = (request, _reply, done) => {
    rates.countPageRequest(request.ip);
    done();
  };
  for (const described of operations) {
    const admit = open.has(described.id) ? countOpen : authenticate;
    addDocumentedRoute(app, described, { onRequest: [admit], handle: handlerOf(services, described) });
  }
}

function handlerOf(services: SandboxServices, described: Operation): RouteService['handle'] {
  const operation = SANDBOX_OPERATIONS[described.id] as SandboxOperation;
  const check = requestCheck(described, validators);
  return async (request, reply) => {
    // Bodies of the sandbox are optional where all of their members are.
    const body = request.body ?? (described.request ? {} : undefined);
    const parameters = check({ params: request.params, query: request.query, body });
    request.transactionId = parameters['transaction_id'];
    const call: SandboxCall = { merchant: request.merchant, parameters, body, request, reply };
    const result = await operation(services, call);
    return reply.sent ? reply : result;
  };
}
