/** HTTP errors as problems (RFC 9457). Kinds, titles and statuses are the contract's; only details are written here. */
import { correction } from '../../../contract/src/violations.ts';
import type { Violation } from '../../../generated/types.ts';
import { StoreUnavailable } from '../database/store.ts';
import type { Log } from '../platform/log.ts';
import type { HttpContext, RequestContext } from './context.ts';
import type { WireContract } from './contract.ts';
import { respond } from './responses.ts';
import type { Unavailability } from './unavailability.ts';

/** Kinds of problems raised by operations. The start verifies that each is in the contract. */
export const RAISED = [
  'validation-failed',
  'unauthorized',
  'not-found',
  'order-id-reused',
  'wrong-state',
  'body-too-large',
  'unsupported-media-type',
  'rate-limited',
  'internal-error',
  'unavailable',
] as const;

/** Problems outside the contract. Their type is the HTTP status (RFC 9457, 4.2.1). */
const BY_STATUS = {
  forbidden: { type: 'about:blank', title: 'Forbidden', status: 403 },
  'misdirected-request': { type: 'about:blank', title: 'Misdirected Request', status: 421 },
} as const;

export type ProblemName = (typeof RAISED)[number] | keyof typeof BY_STATUS;

/** A violation in a request body. Parameters are validated before an operation runs. */
export type BodyViolation = Omit<Violation, 'in'>;

interface ProblemDetails {
  readonly violations?: readonly (Violation | BodyViolation)[];
  /** Additional members of this problem's body. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** Thrown for a call that cannot be served. The response is the problem with this name. */
export class ProblemError extends Error {
  readonly problem: ProblemName;
  readonly violations: readonly (Violation | BodyViolation)[] | undefined;
  readonly members: Readonly<Record<string, unknown>> | undefined;
  constructor(problem: ProblemName, detail: string, more: ProblemDetails = {}) {
    super(detail, { cause: more.cause });
    this.problem = problem;
    this.violations = more.violations;
    this.members = more.members;
  }
}

/** A request that violates the contract, with all violations. */
export function invalid(violations: readonly (Violation | BodyViolation)[]): ProblemError {
  return new ProblemError('validation-failed', correction(violations), { violations });
}

/** The merchant has no transaction with the requested id. */
export function transactionNotFound(kind: 'payment' | 'payout', by: 'id' | 'order id' = 'id'): ProblemError {
  return new ProblemError('not-found', `No ${kind} of this merchant has this ${by}.`);
}

/** A problem as sent by this gateway, including the optional members of RFC 9457. */
interface SentProblem {
  type: string;
  title: string;
  status: number;
  detail: string;
  request_id: string;
  violations?: Violation[];
}

export function problemBody(contract: WireContract, error: ProblemError, requestId: string): SentProblem {
  const kind = contract.problems.get(error.problem) ?? BY_STATUS[error.problem as keyof typeof BY_STATUS];
  if (!kind) throw new Error(`the contract has no problem ${error.problem}`);
  return {
    ...kind,
    detail: error.message,
    request_id: requestId,
    ...error.members,
    ...(error.violations && { violations: error.violations.map(located) }),
  };
}

function located(violation: Violation | BodyViolation): Violation {
  return 'in' in violation ? violation : { in: 'body', ...violation };
}

export class ProblemWithHeaders extends ProblemError {
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  constructor(problem: ProblemName, detail: string, headers: Readonly<Record<string, string>>) {
    super(problem, detail);
    this.headers = headers;
  }
}

// Converts errors to the client's problem. An unexpected error becomes a 500 without internals.

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Headers of a response, by the kind of its problem. */
const HEADERS: Readonly<Partial<Record<ProblemName, Record<string, string>>>> = {
  // The rest of the body is not read.
  'body-too-large': { connection: 'close' },
  unauthorized: { 'www-authenticate': 'Bearer' },
  unavailable: { 'retry-after': '1' },
};

export const UNAVAILABLE = 'Send the request again after the number of seconds in `Retry-After`.';

interface ProblemContext {
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
