/** Failures of a call, as opposed to error responses of the service. */
import type { Problem } from '../../generated/types.ts';

/** NETWORK: the connection failed. TIMEOUT: no complete response in time. INVALID_ANSWER: a success whose body is not JSON. */
export type CallErrorCode = 'NETWORK' | 'TIMEOUT' | 'INVALID_ANSWER';

/**
 * Thrown when a call got no usable response. Whether the service has acted is not known then:
 * creations may simply be made again; before another clarify or confirm, read the payment.
 */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: CallErrorCode;
  /** Number of attempts. */
  readonly attempts: number;
  /** The response, when there was one that could not be used. Its body has been read. */
  readonly response: Response | undefined;
  constructor(code: CallErrorCode, attempts: number, message: string, cause: unknown, response?: Response) {
    super(message, { cause });
    this.code = code;
    this.attempts = attempts;
    this.response = response;
  }
}

/** The failure of one attempt. It is not a CallError, since `auth` and middleware may throw one of another call. */
export class AttemptFailure {
  readonly code: CallErrorCode;
  readonly cause: unknown;
  readonly response: Response | undefined;
  constructor(code: CallErrorCode, cause: unknown, response?: Response) {
    this.code = code;
    this.cause = cause;
    this.response = response;
  }
}

const STRANGE = 'A proxy, not the service, may have sent this response.';
/** Characters of such a response that are shown. */
const TEXT_MAX = 200;

/**
 * The problem that an error response holds. One without a problem in it, such as a proxy's, becomes one by its status.
 * The types promise more than a service has to send: the status, and violations with 400.
 */
export function readProblem(body: unknown, { status, statusText }: Response): Problem {
  const given = typeof Object(body).title === 'string' ? (body as Problem) : undefined;
  const isComplete = given?.status === status && (status !== 400 || Array.isArray(given.violations));
  if (isComplete) return given;
  const shown = given ?? {
    type: 'about:blank',
    // Browsers hide a redirect's status.
    title: statusText || (status ? `HTTP ${status}` : 'Redirect'),
    detail: `${STRANGE} ${textOf(body).slice(0, TEXT_MAX)}`.trim(),
  };
  const narrowed = status === 400 ? { violations: [] } : {};
  // A redirect has no type of its own: its status is not one of the contract's.
  return { ...narrowed, ...shown, status } as Problem;
}

function textOf(body: unknown): string {
  return typeof body === 'object' ? JSON.stringify(body) : `${body ?? ''}`;
}
