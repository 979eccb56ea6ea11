/** The short form: with this repository's dependencies, a few checks, and a test of the working tree. */
import { describe } from 'vitest';
import { describeNewcomer } from './newcomer.ts';
import { STEP_MS } from './tools/start.ts';

describe('a newcomer', { timeout: STEP_MS }, () => {
  describeNewcomer({
    installed: true,
    verifications: ['--only replay,webhook/arrives'],
    tests: 'tests/scripts/documents.test.ts',
  });
});
