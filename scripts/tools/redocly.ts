/** Redocly's command line, quiet and without its telemetry. */
import { fileURLToPath } from 'node:url';
import { type Ran, run } from './process.ts';

const ENTRY = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));

/** Runs `redocly ARGS`. Throws with its output on failure, unless `allowFailure` is set. */
export function redocly(args: string[], options: { allowFailure?: boolean; cwd?: string } = {}): Promise<Ran> {
  return run(process.execPath, [ENTRY, ...args], {
    ...options,
    env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
}
