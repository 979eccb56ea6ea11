/** The mock accepts any key. This one is long so that masking it never hides unrelated output. */
export const PLACEHOLDER_KEY = 'sk_test_placeholder_0123456789abcdef';

/** Signs the mock's webhooks, and the vectors of `webhook-vectors.json`. */
export const PLACEHOLDER_SECRET = 'whsec_dGhlIGN1cnJlbnQgc2VjcmV0IG9mIHRoaXMgc2hvcCE=';
