/** Converts errors to the client's problem. An unexpected error becomes a 500 without internals. */

import { StoreUnavailable } from '../database/store.ts';
import type { Log } from '../platform/log.ts';
import type { HttpContext, RequestContext } from './context.ts';
import type { WireContract } from './contract.ts';
import { ProblemError, type ProblemName, ProblemWithHeaders, problemBody } from './problems.ts';
import { respond } from './responses.ts';
import type { Unavailability } from './unavailability.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Headers of a response, by the kind of its problem. */
const HEADERS: Readonly<Partial<Record<ProblemName, Record<string, string>>>> = {
  // The rest of the body is not read.
  'body-too-large': { connection: 'close' },
  unauthorized: { 'www-authenticate': 'Bearer' },
  unavailable: { 'retry-after': '1' },
};

export const UNAVAILABLE = 'Send the request again after the number of seconds in `Retry-After`.';

export interface ProblemContext {
  readonly contract: WireContract;
  readonly log: Log;
  readonly unavailability: Unavailability;
}

/** The response to a failed request: the problem of its error. */
export function problemResponse(
  { contract, log, unavailability }: ProblemContext,
  error: unknown,
  c: HttpContext,
): Response {
  const request = c.get('request');
  const problem = toProblem(error);
  const body = problemBody(contract, problem, request.id);
  const about = requestFields(request);
  // A 503 is temporary and frequent. A 500 is a defect, located by its stack.
  if (body.status === 503) unavailability.refused(problem, about);
  else if (body.status >= 500) log.error({ err: problem.cause ?? error, ...about }, problem.message);
  const headers = {
    ...HEADERS[problem.problem],
    ...(problem instanceof ProblemWithHeaders && problem.headers),
    'content-type': PROBLEM_TYPE,
  };
  return respond(c, body.status, JSON.stringify(body), headers);
}

/** The members of a log line that identify the request. */
export function requestFields({ id, operation, transactionId, span }: RequestContext): object {
  return { request_id: id, operation, transaction_id: transactionId, ...span?.fields };
}

/** The problem of an unexpected error. */
export function internalError(cause?: unknown): ProblemError {
  const detail = 'Send the request again. If it fails again, contact support with the `request_id`.';
  return new ProblemError('internal-error', detail, { cause });
}

export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StoreUnavailable) return new ProblemError('unavailable', UNAVAILABLE, { cause: error });
  return internalError(error);
}
