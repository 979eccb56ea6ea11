/** The contract tests run against a base URL and not with the other tests: `npm run verify -- BASE_URL`. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/contract/**/*.test.ts'],
    // One story follows the other: a replay takes the transactions of its creations further.
    sequence: { concurrent: false, shuffle: false },
    testTimeout: 120_000,
  },
});
