/** The full form: the first command installs the dependencies, and every test runs. */
import { describe } from 'vitest';
import { describeNewcomer } from './newcomer.ts';
import { STEP_MS } from './tools/start.ts';

describe('a newcomer in a clone without dependencies', { timeout: STEP_MS }, () => {
  describeNewcomer({
    installed: false,
    verifications: ['', '--seed 2', '--seed 3'],
    tests: '--only lint,stale,types,console,style,imports,prose,unused,tests',
  });
});
