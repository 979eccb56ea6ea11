/** Runs a part of the torture as a test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Result, Torture } from './part.ts';

/** Runs a part with a fixed seed, without output, in a temporary folder. */
export async function tortureShortly(part: (torture: Torture) => Promise<Result>): Promise<Result> {
  // The harness removes folders after the current test, which is unknown when several run.
  const folder = await mkdtemp(join(tmpdir(), 'torture-test-'));
  return part({ seed: 4, folder, say: () => undefined }).finally(() => rm(folder, { recursive: true, force: true }));
}
