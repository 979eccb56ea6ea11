/** Turns what was thrown into the problem that the client gets. An unexpected error becomes a 500 without internals. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../platform/log.ts';
import { StoreUnavailable } from '../store/engine/store.ts';
import type { Contract } from '../wire/contract.ts';
import { invalid, ProblemError, type ProblemName, problemBody } from '../wire/problems.ts';
import { ProblemWithHeaders } from './problem-with-headers.ts';
import type { Unavailability } from './unavailability.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Headers of a response, by the kind of its problem. */
const HEADERS: Readonly<Partial<Record<ProblemName, Record<string, string>>>> = {
  unauthorized: { 'www-authenticate': 'Bearer' },
  unavailable: { 'retry-after': '1' },
};

export const UNAVAILABLE = 'Send the request again after the number of seconds in `Retry-After`.';

/** Fastify's own errors by their code. */
const FRAMEWORK: Record<string, () => ProblemError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ProblemError('body-too-large', 'Send a smaller body.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new ProblemError('unsupported-media-type', 'Send the body as JSON, with `Content-Type: application/json`.'),
  // QUERY only, which Fastify routes like a method with a body.
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: () =>
    new ProblemError('unsupported-media-type', 'Send the body as JSON, with `Content-Type: application/json`.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    invalid([{ in: 'body', pointer: '', message: 'differs in length from Content-Length' }]),
  FST_ERR_BAD_URL: () => invalid([{ in: 'path', pointer: '', message: 'is not a valid path' }]),
  FST_ERR_ASYNC_CONSTRAINT: () => new ProblemError('not-found', 'There is nothing at this address.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new ProblemError('not-found', 'No transaction has an id of this length.'),
};

/**
 * The status of a request whose client closed the connection before all of it had arrived, as nginx has it. Nobody receives
 * it; log lines and metrics keep such requests apart from failures.
 */
const CLIENT_CLOSED_REQUEST = 499;

/** Ends a request that its client has cut off. Returns undefined for any other error. */
export function endCutRequest(error: unknown, { raw }: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  return raw.errored !== null && error === raw.errored ? reply.code(CLIENT_CLOSED_REQUEST).send() : undefined;
}

export interface ProblemContext {
  readonly contract: Contract;
  readonly log: Log;
  readonly unavailability: Unavailability;
}

/** Responds with the problem of an error. */
export function sendProblem(
  { contract, log, unavailability }: ProblemContext,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const cut = endCutRequest(error, request, reply);
  if (cut) return cut;
  const problem = problemOf(error);
  const body = problemBody(contract, problem, request.id);
  const about = { request_id: request.id, operation: request.operation, transaction_id: request.transactionId };
  // A 503 passes, and comes in crowds; a 500 is a mistake of ours, and its stack says where.
  if (body.status === 503) unavailability.refused(problem, about);
  else if (body.status >= 500) log.error({ err: problem.cause ?? error, ...about }, problem.message);
  return reply
    .code(body.status)
    .headers({ ...HEADERS[problem.problem], ...(problem instanceof ProblemWithHeaders && problem.headers) })
    .header('content-type', PROBLEM_TYPE)
    .send(JSON.stringify(body));
}

/** The problem of an error that isn't expected. */
export function internalError(cause?: unknown): ProblemError {
  const detail = 'Send the request again. If it fails again, contact support with the `request_id`.';
  return new ProblemError('internal-error', detail, { cause });
}

/** The problem of an error. */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StoreUnavailable) return new ProblemError('unavailable', UNAVAILABLE, { cause: error });
  const { code = '', statusCode = 500, message } = error as Partial<FastifyError>;
  const known = FRAMEWORK[code];
  if (known) return known();
  // An error that only another version of Fastify throws is not a failure of ours either.
  if (code.startsWith('FST_') && statusCode < 500)
    return invalid([{ in: 'header', pointer: '', message: `${message}` }]);
  return internalError(error);
}
