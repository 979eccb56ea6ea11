/** Redocly's command line, quiet and without its telemetry. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bundle } from '../../contract/src/model.ts';
import { type Ran, run } from './process.ts';

const ENTRY = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));

/** Runs `redocly ARGS`. Throws with its output on failure, unless `allowFailure` is set. */
export function redocly(args: string[], options: { allowFailure?: boolean; cwd?: string } = {}): Promise<Ran> {
  return run(process.execPath, [ENTRY, ...args], {
    ...options,
    env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
}

/** Bundles an API of redocly.yaml as it is. */
export async function bundleApi(name: string): Promise<Bundle> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-'));
  try {
    const file = join(folder, 'bundle.json');
    await redocly(['bundle', name, '--output', file]);
    return JSON.parse(await readFile(file, 'utf8')) as Bundle;
  } finally {
    await rm(folder, { recursive: true });
  }
}
