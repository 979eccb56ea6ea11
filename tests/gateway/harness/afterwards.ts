/** Clearing up: after the test that asked for it, or after the file when it was asked for outside of a test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

type Cleanup = () => Promise<unknown>;

const afterFile: Cleanup[] = [];

/** Runs what the file asked for outside of its tests. */
export async function cleanUpFile(): Promise<void> {
  for (const cleanup of afterFile.splice(0).reverse()) await cleanup();
}

/** Runs `cleanup` when the test, or else the file, has ended; the last one given runs first. */
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
