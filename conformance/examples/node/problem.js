/** HTTP error, as an RFC 9457 problem document. */

const TITLES = {
  'validation-failed': [400, 'The request is invalid'],
  unauthorized: [401, 'The API key is missing or unknown'],
  'not-found': [404, 'Not found'],
  'order-id-reused': [409, 'The merchant_order_id is already in use'],
  'wrong-state': [409, 'The payment is in the wrong state'],
  'body-too-large': [413, 'The body is too large'],
  'unsupported-media-type': [415, 'Unsupported media type'],
  'rate-limited': [429, 'Too many requests'],
  'internal-error': [500, 'Unexpected error'],
  unavailable: [503, 'The service is unavailable'],
};

const MAX_VIOLATIONS = 100;

export class Problem extends Error {
  constructor(name, detail, { headers = {}, violations } = {}) {
    const [status, title] = TITLES[name];
    super(detail);
    this.status = status;
    this.headers = headers;
    this.body = {
      status,
      title,
      detail,
      type: `https://docs.gateway.example/problems/${name}`,
      violations: violations?.slice(0, MAX_VIOLATIONS),
    };
  }
}

export const invalid = (violations) =>
  new Problem('validation-failed', 'Correct what `violations` lists, and send the request again.', { violations });

export const internalError = () =>
  new Problem('internal-error', 'Send the request again. If it fails again, quote the request_id to support.');
