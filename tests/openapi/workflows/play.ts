/** Plays the Arazzo workflows. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/tools/process.ts';
import { redocly } from '../../../scripts/tools/redocly.ts';
import { API_KEY, type Behavior, startService } from './service.ts';

const FOLDER = join(ROOT, 'openapi/workflows');
const SUFFIX = '.arazzo.yaml';
/** The names of the workflows. */
export const WORKFLOWS = globSync(`*${SUFFIX}`, { cwd: FOLDER }).map((file) => file.replace(SUFFIX, ''));

export function toFile(workflow: string): string {
  return join(FOLDER, workflow + SUFFIX);
}

/** Runs workflows sequentially, each against a service with a configured behavior. */
export async function play(workflows: Readonly<Record<string, Behavior>>, { key = API_KEY, verbose = false } = {}) {
  const service = await startService(Object.values(workflows));
  try {
    const inputs = { api_key: key, order_id: 'order-workflows-1' };
    const args = Object.entries(inputs).flatMap(([name, value]) => ['-i', `${name}=${value}`]);
    if (verbose) args.push('--verbose');
    const { code, stdout } = await redocly(
      ['respect', ...Object.keys(workflows).map(toFile), '-S', `api=${service.url}`, ...args],
      {
        allowFailure: true,
      },
    );
    // Retried attempts count as failed, too. The last attempt is the result.
    const failed = [...stdout.matchAll(/✗ .* - step (\S+)/g)].at(-1)?.[1];
    return { code, stdout, failed, calls: service.calls, bodies: service.bodies };
  } finally {
    await service.close();
  }
}

/** The states of a payment for which everything is requested. */
export const H2H = [
  ...['CREATED', 'CREATED', 'EXTRA_DATA_NEEDED', 'EXTRA_DATA_NEEDED'],
  ...['PAY_CONFIRMATION_NEEDED', 'VERIFYING', 'VERIFYING', 'SUCCESS'],
];
