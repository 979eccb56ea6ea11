/** Cleanup after the test that registers it, or after the file if registered outside of a test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

type Cleanup = () => Promise<unknown>;

const afterFile: Cleanup[] = [];

/** Runs the cleanups registered outside of tests. */
export async function cleanUpFile(): Promise<void> {
  for (const cleanup of afterFile.splice(0).reverse()) await cleanup();
}

/** Runs `cleanup` after the test, or else after the file, in reverse order of registration. */
export function afterwards(cleanup: Cleanup): void {
  try {
    onTestFinished(async () => {
      await cleanup();
    });
  } catch {
    // vitest throws outside of a test, as in beforeAll.
    afterTheFile(cleanup);
  }
}

/** Runs `cleanup` after the file, even if a test calls it, since later tests of a journey depend on earlier ones. */
export function afterTheFile(cleanup: Cleanup): void {
  afterFile.push(cleanup);
}

/** Creates a temporary folder, removed after the test. */
export async function temporaryFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, 'gateway-test-'));
  afterwards(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
