/** Plays the Arazzo workflows. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/tools/process.ts';
import { redocly } from '../../../scripts/tools/redocly.ts';
import { API_KEY, type Behavior, startService } from './service.ts';

const FOLDER = join(ROOT, 'openapi/workflows');
const SUFFIX = '.arazzo.yaml';
/** The names of the workflows. */
export const WORKFLOWS = readdirSync(FOLDER)
  .filter((file) => file.endsWith(SUFFIX))
  .map((file) => file.replace(SUFFIX, ''));

/** The file of a workflow. */
export function fileOf(workflow: string): string {
  return join(FOLDER, workflow + SUFFIX);
}

/** What a service under test has to name: whom it declines, and whose data it asks for. The contract has no such values. */
const TEST_DATA: Record<string, Record<string, string>> = {
  'declined-payment': { customer_id: 'declined-customer' },
  'declined-payout': { account_number: '999999999999' },
  'h2h-payment': { customer_id: 'unknown-customer' },
};

/** Runs a workflow against a service of its own. */
export async function play(workflow: string, behavior: Behavior, { key = API_KEY, verbose = false } = {}) {
  const service = await startService(behavior);
  try {
    const inputs = { api_key: key, order_id: 'order-workflows-1', ...TEST_DATA[workflow] };
    const args = Object.entries(inputs).flatMap(([name, value]) => ['-i', `${name}=${value}`]);
    if (verbose) args.push('--verbose');
    const { code, stdout } = await redocly(['respect', fileOf(workflow), '-S', `api=${service.url}`, ...args], {
      allowFailure: true,
    });
    // Attempts that are repeated are marked as failed too; the last one is what the run ended with.
    const failed = [...stdout.matchAll(/✗ .* - step (\S+)/g)].at(-1)?.[1];
    return { code, stdout, failed, calls: service.calls, bodies: service.bodies };
  } finally {
    await service.close();
  }
}

/** The states of a payment in which everything is asked for. */
export const H2H = [
  ...['CREATED', 'CREATED', 'EXTRA_DATA_NEEDED', 'EXTRA_DATA_NEEDED'],
  ...['PAY_CONFIRMATION_NEEDED', 'VERIFYING', 'VERIFYING', 'SUCCESS'],
];
