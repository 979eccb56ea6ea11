/** Reasons for refusing a webhook. */

/** The codes of WebhookError, with their remedies. */
const ADVICE = {
  BODY_NOT_RAW: 'Pass the body as it arrived, before any parser',
  BODY_TOO_LARGE: 'No event is that large: check where the request comes from',
  HEADER_MISSING: 'Set `header` or `scheme` if the service uses other names',
  TIMESTAMP_INVALID: 'Send seconds since 1970',
  TIMESTAMP_STALE: 'Check the clock; if it is right, this is a replay',
  SECRET_INVALID: 'Pass the signing secret, whsec_…; is WEBHOOK_SECRET set?',
  NO_MATCH: 'Check the secret, and that nothing changes the body',
  BODY_NOT_JSON: 'The signature is right: tell the service',
  UNKNOWN_EVENT: 'The signature is right: return 2xx to ignore it',
};

export type WebhookErrorCode = keyof typeof ADVICE;

/** Thrown by `verifyWebhook`. Don't use the body. Return 2xx for UNKNOWN_EVENT, and 400 for everything else. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;
  constructor(code: WebhookErrorCode, what: string) {
    super(`${what}. ${ADVICE[code]}.`);
    this.code = code;
  }
}
