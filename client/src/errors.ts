/** What a call can end in besides an answer of the service. */
import type { Problem } from '../../generated/types.ts';

/** NETWORK: the connection failed. TIMEOUT: no whole answer in time. INVALID_ANSWER: a success whose body is not JSON. */
export type CallErrorCode = 'NETWORK' | 'TIMEOUT' | 'INVALID_ANSWER';

/**
 * Thrown when a call got no answer that can be used. Whether the service has acted is not known then:
 * creations may simply be made again; before another clarify or confirm, read the payment.
 */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: CallErrorCode;
  /** How often it was tried. */
  readonly attempts: number;
  constructor(code: CallErrorCode, attempts: number, message: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
    this.attempts = attempts;
  }
}

/** The problem that an error answer holds. One that a proxy made, without a problem in it, becomes one by its status. */
export function problemOf(text: string, { status, statusText }: Response): Problem {
  try {
    const body = JSON.parse(text);
    if ('title' in body) return body;
  } catch {}
  return {
    type: 'about:blank',
    title: statusText || `HTTP ${status}`,
    status,
    detail: 'Not the service, but something before it, may have sent this answer.',
  };
}
