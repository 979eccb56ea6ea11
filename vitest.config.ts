import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { buildGatewayApis } from './scripts/tools/gateway-apis.mjs';

/** The owners of the rules of states and money. `npm test` runs them first, on each database. */
const RULES = ['tests/gateway/domain/*.test.ts', 'tests/gateway/ledger/*.test.ts'];
/** Tests that take too long for every run: `npm run test:long`. */
const LONG = ['tests/**/*.long.test.ts'];
/** They keep every core busy, so that tests with a time limit would miss it at the same time. */
const LOADS = ['tests/torture/**/*.test.ts'];
/** Hidden files of editors and desktops, such as `._name.test.ts`. */
const HIDDEN = '**/.*';
const POSTGRES = ['tests/gateway/harness/global-setup.ts'];

/** The longest, by measurement. Begun last, each would keep one worker after the others have ended. */
const BEGUN_FIRST = [
  'tests/conformance/self/self.test.ts',
  'tests/conformance/liveness.test.ts',
  'tests/scripts/reference/try-it.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => BEGUN_FIRST.findLastIndex((file) => moduleId.endsWith(file));
    return (await super.sort(files)).toSorted((one, other) => place(other) - place(one));
  }
}

// Tests can start without npm, such as from an editor.
await buildGatewayApis();

export default defineConfig({
  // Examples and recipes import the packages by name, as their readers do.
  resolve: { tsconfigPaths: true },
  test: {
    // They end what hangs. Shared machines stall for many seconds, which must fail no test.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    // Tests wait for databases, browsers and leases nearly half of their time. On 2 cores, 4 workers take 225 s and 3 take 265 s;
    // 5 take as long as 4.
    maxWorkers: availableParallelism() + 2,
    // The files of a worker share its modules: to load the gateway again for each takes half a second of every core.
    isolate: false,
    setupFiles: ['tests/setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          include: RULES,
          globalSetup: POSTGRES,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'behavior',
          include: ['tests/**/*.test.ts', 'gateway/examples/{vitest,http-channel}/*.test.ts'],
          exclude: [...RULES, ...LOADS, ...LONG, HIDDEN],
          globalSetup: POSTGRES,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'load', include: LOADS, exclude: [...LONG, HIDDEN], sequence: { groupOrder: 2 } },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: LONG,
          exclude: [HIDDEN],
          globalSetup: POSTGRES,
          // Some of them keep every core busy, so they run one after the other.
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
