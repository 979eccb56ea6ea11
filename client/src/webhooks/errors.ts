/** Why an event is refused, and what to do about it. */

/** The codes of WebhookError with what to do. */
const ADVICE = {
  BODY_NOT_RAW:
    'Pass the bytes or the text as they arrived: a parsed body cannot be verified. See the recipe for your framework.',
  HEADER_MISSING:
    'Check that the request comes from the service and that no proxy drops headers; `header` and `scheme` set other names.',
  TIMESTAMP_INVALID: 'It must be whole seconds since 1970; `scheme` says which header it is in.',
  TIMESTAMP_STALE:
    'Check the clock of this machine; if it is right, this is a replay or a very late delivery. `toleranceSeconds` allows more.',
  SECRET_INVALID: 'Copy the whole signing secret, such as whsec_…; it is not the API key.',
  NO_MATCH: 'Check that the secret is the one of this merchant, and that nothing has changed the body before.',
  BODY_NOT_JSON: 'The signature is right, so this comes from the service; check the scheme and tell its support.',
  UNKNOWN_EVENT: 'The signature is right; answer 2xx to ignore it, or update this package.',
} as const;

export type WebhookErrorCode = keyof typeof ADVICE;

/** Thrown by `verifyWebhook`. Answer 400, and do nothing with the body. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;
  constructor(code: WebhookErrorCode, what: string) {
    super(`${what}. ${ADVICE[code]}`);
    this.code = code;
  }
}
