import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/contract/**'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
