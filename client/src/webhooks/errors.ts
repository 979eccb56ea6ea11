/** Reasons why an event is refused, and what to do about them. */

/** The codes of WebhookError with what to do. */
const ADVICE = {
  BODY_NOT_RAW: 'Pass the body as it arrived, before any parser',
  HEADER_MISSING: 'Set `header` or `scheme` if the service uses other names',
  TIMESTAMP_INVALID: 'Send seconds since 1970',
  TIMESTAMP_STALE: 'Check the clock; if it is right, this is a replay',
  SECRET_INVALID: 'Copy the signing secret, whsec_…, not the API key',
  NO_MATCH: 'Check the secret, and that nothing changes the body',
  BODY_NOT_JSON: 'The signature is right: tell the service',
  UNKNOWN_EVENT: 'The signature is right: return 2xx to ignore it',
};

export type WebhookErrorCode = keyof typeof ADVICE;

/** Thrown by `verifyWebhook`. Do nothing with the body; return 2xx for UNKNOWN_EVENT, and 400 for everything else. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;
  constructor(code: WebhookErrorCode, what: string) {
    super(`${what}. ${ADVICE[code]}.`);
    this.code = code;
  }
}
