import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What takes too long for every run: `npm run test:long`. */
const LONG = ['tests/**/*.long.test.ts'];
/** They keep every core busy, so that tests with a time limit would miss it at the same time. */
const LOADS = ['tests/bench/**/*.test.ts', 'tests/torture/**/*.test.ts'];
const POSTGRES = ['tests/gateway/harness/global-setup.ts'];

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Tests wait for databases, browsers and leases a third of their time, so one more than the cores keeps those busy.
    maxWorkers: availableParallelism() + 1,
    // The files of a worker share its modules: to load the gateway again for each takes half a second of every core.
    isolate: false,
    setupFiles: ['tests/setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'behavior',
          include: ['tests/**/*.test.ts', 'gateway/examples/vitest/*.test.ts'],
          exclude: [...LOADS, ...LONG],
          globalSetup: POSTGRES,
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { name: 'load', include: LOADS, exclude: LONG, sequence: { groupOrder: 2 } } },
      {
        extends: true,
        test: {
          name: 'long',
          include: LONG,
          globalSetup: POSTGRES,
          // Some of them keep every core busy, so they run one after the other.
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
