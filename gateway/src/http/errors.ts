/** From whatever was thrown to the problem that the caller gets. What is not expected becomes a 500 without internals. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Contract } from '../contract/contract.ts';
import { invalid, ProblemError, type ProblemName, problemBody } from '../contract/problems.ts';
import type { Log } from '../platform/log.ts';
import { StoreUnavailable } from '../store/store.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** What a response says beside its body, by the kind of its problem. */
const HEADERS: Readonly<Partial<Record<ProblemName, Record<string, string>>>> = {
  unauthorized: { 'www-authenticate': 'Bearer' },
  'rate-limited': { 'retry-after': '1' },
  unavailable: { 'retry-after': '1' },
};

/** Fastify's own errors by their code. */
const FRAMEWORK: Record<string, () => ProblemError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ProblemError('body-too-large', 'Send a smaller body.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new ProblemError('unsupported-media-type', 'Send the body as application/json.'),
  // QUERY only, which Fastify routes like a method with a body.
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: () =>
    new ProblemError('unsupported-media-type', 'Send the body as application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    invalid([{ in: 'body', pointer: '', message: 'has another length than Content-Length says' }]),
  FST_ERR_BAD_URL: () => invalid([{ in: 'path', pointer: '', message: 'is not a valid path' }]),
  FST_ERR_ASYNC_CONSTRAINT: () => new ProblemError('not-found', 'There is nothing at this address.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new ProblemError('not-found', 'No transaction has an id of this length.'),
};

/** Answers with the problem of an error. */
export function sendProblem(
  contract: Contract,
  log: Log,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = problemOf(error);
  const body = problemBody(contract, problem, request.id);
  // A 503 passes, and comes in crowds; a 500 is a mistake of ours, and its stack says where.
  if (body.status === 503) log.warn({ request_id: request.id }, problem.message);
  else if (body.status >= 500) log.error({ err: problem.cause ?? error, request_id: request.id }, problem.message);
  return reply
    .code(body.status)
    .headers(HEADERS[problem.problem] ?? {})
    .header('content-type', PROBLEM_TYPE)
    .send(JSON.stringify(body));
}

function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StoreUnavailable) {
    return new ProblemError('unavailable', 'Wait for as many seconds as Retry-After says, then repeat the request.', {
      cause: error,
    });
  }
  const known = FRAMEWORK[(error as { code?: string }).code ?? ''];
  if (known) return known();
  return new ProblemError(
    'internal-error',
    'Repeat the request; if it fails again, contact support with the request_id.',
    { cause: error },
  );
}
