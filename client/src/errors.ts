/** Failures of a call, as opposed to error responses of the service. */
import type { Problem } from '../../generated/types.ts';

/**
 * - `NETWORK`: the connection failed.
 * - `TIMEOUT`: no complete response in time.
 * - `INVALID_RESPONSE`: a success whose body is not a JSON object, or is too large.
 */
export type CallErrorCode = 'NETWORK' | 'TIMEOUT' | 'INVALID_RESPONSE';

/** The failure of an attempt. Not a CallError, because `auth` may throw the CallError of another call. */
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

/** Thrown if a call gets no usable response. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: CallErrorCode;
  /** Number of attempts. */
  readonly attempts: number;
  /**
   * True unless the call was a GET. Send a creation again, unchanged. Before you send a clarify or confirm again, read the
   * payment.
   */
  readonly mayHaveActed: boolean;
  /** The response that could not be used, if there was one. Its body has been read. */
  readonly response: Response | undefined;
  constructor({ code, cause, response }: AttemptFailure, attempts: number, mayHaveActed: boolean, message: string) {
    super(message, { cause });
    this.code = code;
    this.attempts = attempts;
    this.mayHaveActed = mayHaveActed;
    this.response = response;
  }
}

const NOT_A_PROBLEM = 'A proxy, not the service, may have sent this response.';
/** Maximum length of such a response in the message. */
const TEXT_MAX = 200;

/**
 * The problem of an error response. A response without one, such as a proxy's, becomes a problem by its status. The types
 * promise more than a service has to send: the status, and violations with 400.
 */
export function readProblem(body: unknown, { status, statusText }: Response): Problem {
  const given = typeof Object(body).title === 'string' ? (body as Problem) : undefined;
  const isComplete = given?.status === status && (status !== 400 || Array.isArray(given.violations));
  if (isComplete) return given;
  const shown = given ?? {
    type: 'about:blank',
    // Browsers hide a redirect's status.
    title: statusText || (status ? `HTTP ${status}` : 'Redirect'),
    detail: `${NOT_A_PROBLEM} ${toText(body).slice(0, TEXT_MAX)}`.trim(),
  };
  const narrowed = status === 400 ? { violations: [] } : {};
  // The type has no redirects.
  return { ...narrowed, ...shown, status } as Problem;
}

function toText(body: unknown): string {
  return typeof body === 'object' ? JSON.stringify(body) : `${body ?? ''}`;
}
