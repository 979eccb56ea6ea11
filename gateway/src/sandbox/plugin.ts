/**
 * The sandbox's routes, made from its document: nothing of it is part of the contract, and a live gateway has none of it. An
 * operation without a handler, or a handler without an operation, stops the start.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Operation } from '../../../contract/src/model.ts';
import * as validators from '../../../generated/sandbox/validators.js';
import { successStatus } from '../contract/contract.ts';
import { readSandboxDocument } from '../contract/sandbox-document.ts';
import type { Authentication } from '../http/auth.ts';
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
  compare(operations.map(({ id }) => id));
  const countOpen: onRequestHookHandler = (request, _reply, done) => {
    rates.countPageRequest(request.ip);
    done();
  };
  for (const described of operations) {
    addRoute(app, services, open.has(described.id) ? countOpen : authenticate, described);
  }
}

function addRoute(
  app: FastifyInstance,
  services: SandboxServices,
  admit: onRequestHookHandler,
  described: Operation,
): void {
  const { id, method, path } = described;
  const operation = SANDBOX_OPERATIONS[id] as SandboxOperation;
  const status = successStatus(described);
  const check = requestCheck(described, validators);
  app.route({
    method: method.toUpperCase(),
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    onRequest: [
      (request, _reply, done) => {
        request.operation = id;
        done();
      },
      admit,
    ],
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      // Bodies of the sandbox are optional where all of their members are.
      const body = request.body ?? (described.request ? {} : undefined);
      const parameters = check({ params: request.params, query: request.query, body });
      request.transactionId = parameters['transaction_id'];
      const call: SandboxCall = { merchant: request.merchant, parameters, body, request, reply };
      const result = await operation(services, call);
      if (reply.sent || result === reply) return reply;
      if (result === undefined) return reply.code(204).send();
      reply.code(status).header('content-type', 'application/json; charset=utf-8');
      return JSON.stringify(result);
    },
  });
}

function compare(ids: readonly string[]): void {
  const missing = ids.filter((id) => !SANDBOX_OPERATIONS[id]).map((id) => `${id} has no handler`);
  const surplus = Object.keys(SANDBOX_OPERATIONS)
    .filter((id) => !ids.includes(id))
    .map((id) => `the handler ${id} has no operation`);
  const complaints = [...missing, ...surplus];
  if (complaints.length > 0) throw new Error(`the sandbox and its document differ: ${complaints.join('; ')}`);
}
