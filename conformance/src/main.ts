#!/usr/bin/env node
/** `payments-conformance`: checks that a running service keeps the contract. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { CommandLine, parseNumber, runCommand, UserError } from '../../contract/src/cli.ts';
import { PLACEHOLDER_KEY } from '../../contract/src/mock/placeholder-key.ts';
import conformancePackage from '../package.json' with { type: 'json' };
import { loadContract } from './contract.ts';
import { planChecks } from './plan.ts';
import { preflight, readBaseUrl } from './preflight.ts';
import { progress } from './progress.ts';
import { formatReport, summarize } from './report.ts';
import { runChecks } from './run.ts';
import { DEFAULT_TIMEOUT_MS, type Settings } from './settings.ts';

interface Flags {
  readonly key?: string;
  readonly timeout: number;
  readonly only?: string;
  readonly list?: boolean;
  readonly json?: string;
}

const TIMEOUT_MS_MAX = 600_000;

const contract = loadContract();

const program = new CommandLine('payments-conformance')
  .description('Verify a running service: send the examples of the contract and check every response against it.')
  .version(conformancePackage.version, '-v, --version', 'Print the version.')
  .argument('<base-url>', 'Base URL of the service, such as http://127.0.0.1:4010.')
  .option('--key <api-key>', 'API key (env: API_KEY; default: a placeholder).')
  .option(
    '--timeout <ms>',
    'Milliseconds to wait for each response.',
    parseNumber({ max: TIMEOUT_MS_MAX }),
    DEFAULT_TIMEOUT_MS,
  )
  .addOption(new Option('--only <operation>', 'Verify one operation.').choices(contract.operations.map(({ id }) => id)))
  .option('--list', 'List the checks. The service is called only to select them.')
  .option('--json <file>', 'Also write the full report to this file.')
  .addHelpText(
    'after',
    `
If the service follows the Prefer header, as the mock does, every named example is requested. Any other service gets
the request examples with new order ids. That creates real transactions, so use a sandbox.

Exit codes: 0 the service conforms, 1 it doesn't or can't be reached, 2 the command was called incorrectly.`,
  )
  .handle(async (flags: Flags, baseUrl = '') => {
    const given = readSettings(flags, baseUrl);
    const settings: Settings = { ...given, mode: await preflight(contract, given) };
    const checks = planChecks(contract, settings);
    if (flags.list) return checks.map(({ title }) => title).join('\n');
    const report = summarize(contract, settings, await runChecks(checks, progress(checks.length)));
    if (flags.json !== undefined) await writeReport(flags.json, report);
    console.log(formatReport(report));
    return report.ok ? 0 : 1;
  });

process.exitCode = await runCommand(program);

function readSettings({ key, timeout, only }: Flags, baseUrl: string): Omit<Settings, 'mode'> {
  return {
    baseUrl: readBaseUrl(baseUrl),
    key: key ?? (process.env['API_KEY'] || PLACEHOLDER_KEY),
    timeoutMs: timeout,
    runId: randomBytes(6).toString('hex'),
    ...(only !== undefined && { only }),
  };
}

async function writeReport(file: string, report: object): Promise<void> {
  try {
    await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    throw new UserError(`Can't write the report to ${file}: ${(error as Error).message}`);
  }
}
