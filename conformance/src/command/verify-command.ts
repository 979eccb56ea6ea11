/** The command `payments-conformance BASE_URL`: reads the options, runs the checks, and writes the reports. */
import { existsSync } from 'node:fs';
import { type CommandOutcome, type Terminal, UserError } from '../../../contract/src/cli.ts';
import { printable } from '../../../contract/src/printable.ts';
import { planChecks, selectChecks } from '../checks/index.ts';
import { type ConformanceOptions, DEFAULTS, toSettings } from '../core/settings.ts';
import { loadContract } from '../document/contract.ts';
import { gatewayDriver } from '../drivers/gateway.ts';
import { buildReport } from '../report/build-report.ts';
import type { Report } from '../report/report.ts';
import { terminalReport } from '../report/terminal.ts';
import { assess, type Rules } from '../run/assess.ts';
import {
  DEFAULT_FILE,
  type KnownFailures,
  NO_KNOWN_FAILURES,
  readKnownFailures,
  withFailures,
} from '../run/known-failures.ts';
import { namedDriver } from '../run/preflight.ts';
import { createRules, requirementsVersion } from '../run/rules.ts';

import { type Verification, verifyService } from '../run/verify.ts';
import { loadChecks, loadConfig, loadDriver } from './config.ts';
import { type Flags, readReportFiles, toOptions } from './flags.ts';
import { startProgress } from './progress.ts';
import { compareReports, replayOptions } from './replay.ts';
import { readReport, writeJson } from './text-files.ts';
import { announceOnGitHub, writeReports } from './write-reports.ts';

export async function verifyCommand(
  flags: Flags,
  baseUrl: string | undefined,
  terminal: Terminal,
): Promise<CommandOutcome> {
  const config = await loadConfig(flags.config);
  const own = flags.checks ?? config.checks;
  const checks = own === undefined ? {} : { checks: await loadChecks(own) };
  const given = { ...toOptions(flags, baseUrl, config, process.env), ...checks };
  const options = given.driver === undefined ? given : { ...given, driver: await loadDriver(given.driver) };
  if (flags.list) return listChecks(options);
  const before = flags.replay === undefined ? undefined : readReport(flags.replay);
  const chosen = before ? replayOptions(before, options, flags) : options;
  const { baseUrl: address } = chosen;
  if (address === undefined) {
    const { service = 'http://127.0.0.1:4010' } = before ?? {};
    throw new UserError(`Missing base URL. Use: payments-conformance ${printable(service)}`, 2);
  }
  const files = readReportFiles(flags, config);
  const { report, verification } = await verifyAndReport({ ...chosen, baseUrl: address }, flags, terminal);
  writeReports(report, verification, files);
  if (flags.github ?? config.github ?? process.env['GITHUB_ACTIONS'] === 'true') {
    await announceOnGitHub(report, terminal, process.env['GITHUB_STEP_SUMMARY']);
  }
  terminal.out(terminalReport(report));
  if (before) terminal.out(`\n${compareReports(before, report)}\n`);
  return report.exitCode;
}

async function verifyAndReport(
  options: ConformanceOptions,
  flags: Flags,
  terminal: Terminal,
): Promise<{ report: Report; verification: Verification }> {
  const contract = loadContract();
  const file = options.knownFailures ?? DEFAULT_FILE;
  const { knownFailures: _file, ...unlisted } = options;
  // --init-known-failures creates the list, with every failure.
  const { initKnownFailures: isWritten } = flags;
  const chosen = isWritten ? { ...unlisted, maxTimeFailing: options.maxTime ?? DEFAULTS.maxTime } : options;
  let rules = createRules(contract, chosen);
  const progress = startProgress(terminal);
  const verification = await verifyService(chosen, progress).finally(() => progress.stop());
  if (isWritten) {
    rules = { ...rules, known: initKnownFailures(verification, rules, file) };
    terminal.err(`wrote ${rules.known?.failures.length} known failures to ${file}\n`);
  }
  const report = buildReport(verification, assess(verification, rules), requirementsVersion(contract, options));
  return { report, verification };
}

/** Writes the current failures. Existing entries keep their reasons, and entries of conforming checks are removed. */
function initKnownFailures(verification: Verification, rules: Rules, file: string): KnownFailures {
  const before = existsSync(file) ? readKnownFailures(file) : NO_KNOWN_FAILURES;
  const { results } = assess(verification, rules);
  const failing = results.filter(({ failure }) => failure !== undefined);
  const reasons = new Map(
    failing.map(({ id, findings: [first], reason }) => [
      id,
      first ? `${first.at}: expected ${first.expected}, found ${first.found}` : (reason ?? ''),
    ]),
  );
  const known = withFailures(before, reasons, new Set(results.map(({ id }) => id)));
  writeJson(file, known);
  return known;
}

function listChecks(options: Partial<ConformanceOptions>): string {
  const contract = loadContract();
  const { driver = gatewayDriver } = options;
  const settings = toSettings({ baseUrl: 'http://127.0.0.1', ...options });
  const named = typeof driver === 'string' ? namedDriver(driver) : driver;
  const checks = selectChecks(contract, planChecks({ contract, settings, driver: named }), options);
  const levels = (partOf: readonly string[]) => (partOf.length === 0 ? '' : `  [${partOf.join(', ')}]`);
  return checks.map(({ id, title, partOf }) => `${id}${levels(partOf)}\n    ${title}`).join('\n');
}
