/** The flags of `payments-conformance`, and their merge with the environment and the config file. */
import { InvalidArgumentError } from 'commander';
import { type CommandLine, parseName, parseNames, parseNumber, parsePort } from '../../../contract/src/cli.ts';
import { type ConformanceOptions, defined, LEVELS, type Level, PROFILES } from '../core/settings.ts';
import type { Config, ReportFiles } from './config.ts';

/** Flags that have the name of their option. */
const SAME = [
  ...(['name', 'key', 'secondKey', 'secret', 'secondSecret', 'only', 'skip', 'profile', 'contractVersion'] as const),
  ...(['seed', 'walks', 'maxRequests', 'maxAmount', 'maxTime', 'maxTimeFailing', 'maxResponseTime'] as const),
  ...(['knownFailures', 'strictKnownFailures'] as const),
];

export interface Flags extends ReportFiles, Pick<ConformanceOptions, (typeof SAME)[number]> {
  readonly header?: Readonly<Record<string, string>>;
  readonly webhookHost?: string;
  readonly webhookPort?: number;
  readonly webhookUrl?: string;
  readonly driver?: string;
  readonly checks?: string;
  readonly level?: readonly Level[];
  readonly timeout?: number;
  readonly bail?: boolean;
  readonly initKnownFailures?: boolean;
  readonly github?: boolean;
  readonly list?: boolean;
  readonly replay?: string;
  readonly config?: string;
}

export const PROFILE_OPTION = [
  '--profile <profile>',
  "Binding statements: document (default), the whole contract; source, only the source's.",
  parseName(PROFILES),
] as const;
export const TIMEOUT_MS_MAX = 600_000;
const INTEGER_MAX = 2 ** 31 - 1;

/** Adds the flags for the service's address and claims. The defaults are the library's. */
function addServiceFlags(command: CommandLine): CommandLine {
  return command
    .option('--key <api-key>', 'API key (env: API_KEY; default: a placeholder).')
    .option('--second-key <api-key>', 'API key of another merchant (env: SECOND_API_KEY).')
    .option('--secret <secret>', 'Signing secret of the webhooks (env: WEBHOOK_SECRET).')
    .option('--second-secret <secret>', 'Signing secret of the other merchant (env: SECOND_WEBHOOK_SECRET).')
    .option('--header <name: value>', 'Header sent with every request. Repeatable.', parseHeader)
    .option('--webhook-host <host>', 'Address on which the kit receives webhooks (default: 127.0.0.1).')
    .option('--webhook-port <port>', 'Port on which the kit receives webhooks (default: a free one).', parsePort)
    .option('--webhook-url <url>', 'Base URL at which the service reaches the kit, such as a tunnel.')
    .option(
      '--driver <driver>',
      'Driver that moves transactions into a status: gateway, prism, or the path of a module. The driver gateway creates merchants, with the sandbox key if it is set (env: SANDBOX_KEY).',
    )
    .option(
      '--level <levels>',
      `Levels that the service claims: ${LEVELS.join(', ')} (default: all).`,
      parseNames(LEVELS),
    )
    .option(
      '--timeout <ms>',
      'Milliseconds to wait for a response, a change of status, or a webhook (default: 10000).',
      parseNumber({ max: TIMEOUT_MS_MAX }),
    )
    .option('--config <file>', 'Config file (default: payments-conformance.config.ts, .js, .mjs or .json).');
}

export function addFlags(command: CommandLine): CommandLine {
  addSelectionFlags(addServiceFlags(command));
  return addReportFlags(command);
}

function addSelectionFlags(command: CommandLine): CommandLine {
  return command
    .option('--only <checks>', 'Run only these checks: ids or their prefixes, operations, tags or levels.', parseWords)
    .option('--skip <checks>', 'Skip these checks: ids or their prefixes, operations, tags or levels.', parseWords)
    .option(...PROFILE_OPTION)
    .option('--contract-version <version>', 'Version of the contract whose requirements count (default: the newest).')
    .option(
      '--seed <number>',
      'Seed of the random walks and texts (default: random).',
      parseNumber({ min: 0, max: INTEGER_MAX }),
    )
    .option('--walks <number>', 'Number of random walks (default: 8).', parseNumber({ min: 0, max: INTEGER_MAX }))
    .option(
      '--max-requests <number>',
      'Maximum number of requests (default: 10000).',
      parseNumber({ max: INTEGER_MAX }),
    )
    .option(
      '--max-amount <minor-units>',
      'Maximum sum of the transactions in each currency (default: 1000000000).',
      parseNumber({ max: Number.MAX_SAFE_INTEGER }),
    )
    .option(
      '--max-time <seconds>',
      'Seconds after which the run sends no more requests (default: 900).',
      parseNumber({ max: INTEGER_MAX }),
    )
    .option(
      '--max-time-failing <seconds>',
      'Seconds after which a run with a failed check ends (default: 60).',
      parseNumber({ max: INTEGER_MAX }),
    )
    .option(
      '--max-response-time <ms>',
      'Milliseconds that a response may take, as a check (default: no limit).',
      parseNumber({ max: TIMEOUT_MS_MAX }),
    )
    .option('--checks <module>', 'Path of a module that exports custom `checks`.')
    .option('--bail', 'Stop at the first check that fails the run.')
    .option('--known-failures <file>', 'Checks that may fail for now, with reasons.')
    .option(
      '--init-known-failures',
      'Write the current failures to the file of --known-failures (default: known-failures.json).',
    )
    .option('--strict-known-failures', 'Fail if a known failure passes.')
    .option('--list', 'List the checks without sending requests.')
    .option('--replay <report>', 'Repeat the failed checks of a JSON report, with its seed and settings, and compare.');
}

function addReportFlags(command: CommandLine): CommandLine {
  return command
    .option('--name <name>', 'Name of the service in reports, such as "gateway 1.4".')
    .option('--json <file>', 'Write the report as JSON.')
    .option('--junit <file>', 'Write the report as JUnit XML.')
    .option('--html <file>', 'Write the report as one HTML page.')
    .option('--badge <file>', 'Write a badge as SVG.')
    .option('--har <file>', 'Write every exchange and webhook as an HTTP archive, for check-har and other tools.')
    .option('--github', 'Write annotations and a job summary (default: on in GitHub Actions).')
    .option('--no-github', "Don't write them.");
}

/** The options of a run: flags over the environment over the config file. */
export function toOptions(
  flags: Flags,
  baseUrl: string | undefined,
  config: Config,
  env: NodeJS.ProcessEnv,
): Omit<ConformanceOptions, 'baseUrl'> & { readonly baseUrl?: string } {
  const { capabilities, reports: _reports, github: _github, checks: _checks, ...base } = config;
  const { webhookHost: host, webhookPort: port, webhookUrl: url } = flags;
  return {
    ...base,
    ...defined({
      ...(Object.fromEntries(SAME.map((name) => [name, flags[name]])) as Pick<
        ConformanceOptions,
        (typeof SAME)[number]
      >),
      baseUrl,
      key: flags.key ?? env['API_KEY'],
      secondKey: flags.secondKey ?? env['SECOND_API_KEY'],
      secret: flags.secret ?? env['WEBHOOK_SECRET'],
      secondSecret: flags.secondSecret ?? env['SECOND_WEBHOOK_SECRET'],
      driver: flags.driver,
      levels: flags.level ?? capabilities?.levels,
      timeoutMs: flags.timeout,
      stopAtFirst: flags.bail,
    }),
    headers: { ...config.headers, ...flags.header },
    webhook: { ...config.webhook, ...defined({ host, port, url }) },
  };
}

export function readReportFiles(flags: Flags, config: Config): ReportFiles {
  const { json, junit, html, badge, har } = flags;
  return { ...config.reports, ...defined({ json, junit, html, badge, har }) };
}

/** Words separated by commas, of an option that may be repeated. */
export function parseWords(text: string, previous: readonly string[] = []): string[] {
  return [...previous, ...text.split(',').filter((word) => word !== '')];
}

/** A header, of an option that may be repeated. */
export function parseHeader(text: string, previous: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name, value] = /^([^\s:]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("Use the form 'Name: value'.");
  return { ...previous, [name.toLowerCase()]: value };
}
