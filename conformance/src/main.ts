/** `npm run verify`: checks that a running service keeps the contract. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { type Command, main, parseCommand, UserError } from '../../contract/src/cli.ts';
import { PLACEHOLDER_KEY } from '../../contract/src/mock/placeholder-key.ts';
import { type Contract, loadContract } from './contract.ts';
import { planChecks } from './plan.ts';
import { preflight, readBaseUrl } from './preflight.ts';
import { progress } from './progress.ts';
import { formatReport, summarize } from './report.ts';
import { runChecks } from './run.ts';
import { DEFAULT_TIMEOUT_MS, type Settings } from './settings.ts';

const COMMAND: Command = {
  name: 'npm run verify --',
  summary: 'Verifies a running service: sends the examples of the contract and checks every answer against it.',
  positionals: ['BASE_URL'],
  options: {
    key: {
      type: 'string',
      value: 'API_KEY',
      description: 'API key; else API_KEY of the environment, else a placeholder.',
    },
    timeout: {
      type: 'string',
      value: 'MS',
      default: String(DEFAULT_TIMEOUT_MS),
      description: 'Milliseconds to wait for each answer.',
    },
    only: { type: 'string', value: 'OPERATION', description: 'Verify one operation, by its operationId.' },
    list: { type: 'boolean', default: false, description: 'List the checks; call the service only to choose them.' },
    json: { type: 'string', value: 'FILE', description: 'Write the full report to this file too.' },
  },
  notes: [
    'A service that follows the Prefer header (as the mock does) is asked for every named example. Any other gets ' +
      'the request examples under new order ids: it creates real transactions there, so use a sandbox.',
    'Exit code: 0 the service conforms, 1 it does not or cannot be reached, 2 wrong arguments.',
  ],
};

await main(async () => {
  const { values, positionals } = parseCommand(COMMAND);
  const contract = loadContract();
  const given = readSettings(contract, values, positionals[0] ?? '');
  const settings: Settings = { ...given, mode: await preflight(contract, given) };
  const checks = planChecks(contract, settings);
  if (values['list']) {
    console.log(checks.map(({ title }) => title).join('\n'));
    return 0;
  }
  const report = summarize(contract, settings, await runChecks(checks, progress(checks.length)));
  if (typeof values['json'] === 'string') await writeReport(values['json'], report);
  console.log(formatReport(report));
  return report.ok ? 0 : 1;
});

function readSettings(
  contract: Contract,
  values: ReturnType<typeof parseCommand>['values'],
  baseUrl: string,
): Omit<Settings, 'mode'> {
  const timeoutMs = Number(values['timeout']);
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1) {
    throw new UserError(`--timeout is '${values['timeout']}'; it must be a number of milliseconds, at least 1`, 2);
  }
  const ids = contract.operations.map(({ id }) => id);
  const only = values['only'];
  if (only !== undefined && !ids.includes(String(only))) {
    throw new UserError(`--only is '${only}'; it must be one of ${ids.join(', ')}`, 2);
  }
  return {
    baseUrl: readBaseUrl(baseUrl),
    key: String(values['key'] ?? process.env['API_KEY'] ?? PLACEHOLDER_KEY),
    timeoutMs,
    runId: randomBytes(6).toString('hex'),
    ...(only !== undefined && { only: String(only) }),
  };
}

async function writeReport(file: string, report: object): Promise<void> {
  try {
    await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    throw new UserError(`The report cannot be written: ${(error as Error).message}`);
  }
}
