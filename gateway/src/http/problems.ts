/** HTTP errors as problems (RFC 9457). Kinds, titles and statuses are the contract's; only details are written here. */
import { correction } from '../../../contract/src/violations.ts';
import type { Violation } from '../../../generated/types.ts';
import type { WireContract } from './contract.ts';

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

/** The body of the response. */
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
