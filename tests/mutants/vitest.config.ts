/** The tests of one area, one file after the other in the given order, on SQLite. */

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

class Unsorted extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = (file: TestSpecification) => include.findIndex((path) => file.moduleId.endsWith(path));
    return files.toSorted((one, other) => order(one) - order(other));
  }
}

/** Set by main.ts. */
const include: readonly string[] = JSON.parse(process.env['MUTANTS_TESTS'] ?? '[]');

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: [...include],
    // Stryker ends tests that a mutant lets wait.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 10_000 } },
    env: { TEST_DATABASES: 'sqlite' },
    sequence: { sequencer: Unsorted },
    // Stryker starts a process per mutant. Its test files share their modules.
    isolate: false,
    setupFiles: ['tests/mutants/setup.ts', 'tests/setup.ts'],
  },
});
