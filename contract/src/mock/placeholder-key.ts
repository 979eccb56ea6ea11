/** Accepted by the mock, which takes any key. Long, so that masking it in output hides nothing else. */
export const PLACEHOLDER_KEY = 'sk_test_placeholder_0123456789abcdef';
