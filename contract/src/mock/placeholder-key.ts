/** The mock accepts any key. This one is long so that masking it never hides unrelated output. */
export const PLACEHOLDER_KEY = 'sk_test_placeholder_0123456789abcdef';
