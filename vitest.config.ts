import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/contract/**'],
    globalSetup: ['tests/gateway/harness/global-setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
