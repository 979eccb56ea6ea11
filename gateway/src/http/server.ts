/**
 * The HTTP side: routes, authentication and validation come from the contract. An operation without a handler, or a
 * handler without an operation, stops the start.
 */
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify';
import type { Operation as Described } from '../../../contract/src/model.ts';
import { pointerOf } from '../../../contract/src/pointer.ts';
import * as validators from '../../../generated/validators.js';
import type { Contract } from '../contract/contract.ts';
import { successStatus } from '../contract/contract.ts';
import { invalid, ProblemError, RAISED } from '../contract/problems.ts';
import { OPERATIONS } from '../operations/index.ts';
import type { Operation, Services } from '../operations/operation.ts';
import { newId } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import { authentication } from './auth.ts';
import { NO_NUL, takeJsonOnly } from './body.ts';
import { answerWhileClosing } from './closing.ts';
import { sendProblem } from './errors.ts';
import { answerMalformed, refuseMalformed, strictHttp } from './malformed.ts';
import { addOperational, type Metrics } from './operational.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';
import { leaveTogether } from './together.ts';
import { check } from './violations.ts';

type Validator = validators.Validator<unknown>;
type ByOperation<T> = Readonly<Record<string, T | undefined>>;

export interface ServerOptions {
  readonly contract: Contract;
  readonly services: Services;
  readonly log: Log;
  readonly limits: Limits;
  readonly metrics: Metrics;
  /** Adds the pages that are served beside the API, under the same limits. */
  readonly addPages?: (app: FastifyInstance, rates: RateLimits) => Promise<void>;
  /** Checks every answer against the contract, and answers 500 where it does not fit. For tests. */
  readonly checkResponses?: boolean;
}

export interface Limits {
  readonly bodyBytesMax: number;
  /** Requests of one API key in a second. */
  readonly requestsPerSecond: number;
  readonly connectionsMax: number;
  readonly headerTimeoutMs: number;
  readonly requestTimeoutMs: number;
}

/** Builds the server without listening. Throws when handlers and contract differ. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { contract, services, limits, log } = options;
  compareWithContract(contract);
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(contract, log, error, request, reply);
  const app = Fastify({
    bodyLimit: limits.bodyBytesMax,
    requestTimeout: limits.requestTimeoutMs,
    connectionTimeout: limits.requestTimeoutMs,
    http: strictHttp(Math.min(limits.headerTimeoutMs, limits.requestTimeoutMs)),
    clientErrorHandler: answerMalformed(contract, () => services.clock.now()),
    routerOptions: { maxParamLength: 1024 },
    // answerWhileClosing answers with the contract's problem instead.
    return503OnClosing: false,
    genReqId: () => newId('req', services.clock.now()),
    // Lines come from here alone, one for each request and one for each failure, and name their request themselves.
    logger: false,
    frameworkErrors: fail,
  });
  app.server.maxConnections = limits.connectionsMax;
  app.server.headersTimeout = limits.headerTimeoutMs;
  app.setErrorHandler(fail);
  app.setNotFoundHandler((request, reply) =>
    fail(new ProblemError('not-found', `There is no ${request.method} ${pathOf(request)}.`), request, reply),
  );
  answerWhileClosing(app);
  refuseMalformed(app);
  takeJsonOnly(app);
  const rates = createRateLimits(limits.requestsPerSecond);
  leaveTogether(app);
  addOperational(app, services.store, options.metrics, log);
  const authenticate = authentication(services, rates);
  for (const described of contract.operations) addRoute(app, options, authenticate, described);
  await options.addPages?.(app, rates);
  return app;
}

function addRoute(
  app: FastifyInstance,
  { services, checkResponses }: ServerOptions,
  authenticate: onRequestHookHandler,
  described: Described,
): void {
  const { id, method, path } = described;
  const operation = OPERATIONS[id] as Operation;
  const status = successStatus(described);
  const parameters = (validators.parameters as ByOperation<Validator>)[id];
  const body = (validators.requestBodies as ByOperation<Validator>)[id];
  const response = (validators.responseBodies as ByOperation<ByOperation<Validator>>)[id]?.[status];
  const inPath = new Set(described.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name));
  app.route({
    method: method.toUpperCase(),
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    onRequest: [
      (request, _reply, done) => {
        request.operation = id;
        done();
      },
      authenticate,
    ],
    handler: async (request, reply) => {
      const given = { ...(request.query as object), ...(request.params as object) } as Record<string, string>;
      if (parameters) checkParameters(parameters, given, inPath);
      if (body) check(body, request.body ?? undefined, 'body');
      const answer = await operation(services, { merchant: request.merchant, parameters: given, body: request.body });
      if (checkResponses && response && !response(answer)) {
        throw new Error(
          `${id} answers against the contract: ${JSON.stringify(response.errors)} ${JSON.stringify(answer)}`,
        );
      }
      reply.code(status).header('content-type', 'application/json; charset=utf-8');
      // Not the reply itself, whose end Fastify would wait for.
      return JSON.stringify(answer);
    },
  });
}

function checkParameters(validator: Validator, given: Record<string, string>, inPath: ReadonlySet<string>): void {
  for (const name in given) {
    if (!given[name]?.includes('\u0000')) continue;
    throw invalid([{ in: inPath.has(name) ? 'path' : 'query', pointer: pointerOf(name), message: NO_NUL }]);
  }
  if (validator(given)) return;
  const first = validator.errors?.[0]?.instancePath.slice(1) ?? '';
  check(validator, given, inPath.has(first) ? 'path' : 'query');
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0]?.slice(0, 200) ?? '';
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
