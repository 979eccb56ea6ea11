#!/usr/bin/env node
/** `payments-conformance`: verifies that a running service keeps the contract. */
import { Option } from 'commander';
import { CommandLine, parseNumber, runCommand } from '../../contract/src/cli.ts';
import conformancePackage from '../package.json' with { type: 'json' };
import { DEFAULT_TIMEOUT_MS } from './core/settings.ts';
import { DRIVER_NAMES } from './run/preflight.ts';
import { verifyService } from './run/verify.ts';

interface Flags {
  readonly key?: string;
  readonly secret?: string;
  readonly driver?: string;
  readonly timeout: number;
}

const TIMEOUT_MS_MAX = 600_000;

const program = new CommandLine('payments-conformance')
  .description('Verify a running service against the contract.')
  .version(conformancePackage.version, '-v, --version', 'Print the version.')
  .argument('<base-url>', 'Base URL of the service, such as http://127.0.0.1:4010.')
  .option('--key <api-key>', 'API key (env: API_KEY; default: a placeholder).')
  .option('--secret <secret>', 'Signing secret of the webhooks (env: WEBHOOK_SECRET).')
  .addOption(new Option('--driver <name>', 'How the service is brought into a state.').choices(DRIVER_NAMES))
  .option(
    '--timeout <ms>',
    'Milliseconds to wait for a response, a change of status, or a webhook.',
    parseNumber({ max: TIMEOUT_MS_MAX }),
    DEFAULT_TIMEOUT_MS,
  )
  .handle(async ({ key, secret, driver, timeout }: Flags, baseUrl = '') => {
    const given = { key: key ?? process.env['API_KEY'], secret: secret ?? process.env['WEBHOOK_SECRET'], driver };
    const { results } = await verifyService({ baseUrl, timeoutMs: timeout, ...defined(given) });
    for (const { verdict, id, findings } of results) {
      console.log(verdict, id, findings.map(({ at, expected, found }) => `${at}: ${expected}, ${found}`).join('; '));
    }
    return results.some(({ verdict }) => verdict === 'violating') ? 1 : 0;
  });

process.exitCode = await runCommand(program);

function defined<T extends object>(values: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
