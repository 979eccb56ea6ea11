/** Runs before each test file. The files of a worker share its modules, so hooks in those would run for the first only. */
import { join } from 'node:path';
import { afterAll, vi } from 'vitest';
import { ROOT } from '../scripts/tools/process.ts';
import { cleanUpFile } from './gateway/harness/afterwards.ts';

// Dozens of tests start commands, which spend half of their start on compiling the same sources.
process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'node_modules/.cache/node');

afterAll(cleanUpFile);
// A test that fails halfway must not leave its clock or globals to the next file.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
