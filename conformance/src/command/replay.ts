/** `--replay`: repeats the failed checks of an earlier run with its data, and compares the findings. */
import { printable } from '../../../contract/src/printable.ts';
import { planChecks } from '../checks/index.ts';
import { type ConformanceOptions, toSettings } from '../core/settings.ts';
import { loadContract } from '../document/contract.ts';
import { gatewayDriver } from '../drivers/gateway.ts';
import type { Report, ReportedCheck } from '../report/report.ts';
import { DRIVERS } from '../run/preflight.ts';
import type { Flags } from './flags.ts';

/**
 * The settings of the earlier run, with its failed checks. Flags override them. The base URL never comes from the report,
 * which can be of someone who wants the API key.
 */
export function replayOptions<T extends Omit<ConformanceOptions, 'baseUrl'>>(
  report: Report,
  given: T,
  flags: Flags,
): T {
  const { seed, walks, profile, requirements, levels } = report;
  const { only: _only, skip: _skip, ...rest } = given;
  const only = flags.only ?? checksToRepeat(report, given.driver);
  return {
    ...rest,
    seed: flags.seed ?? seed,
    walks: flags.walks ?? walks,
    profile: flags.profile ?? profile,
    contractVersion: flags.contractVersion ?? requirements,
    levels: flags.level ?? levels.map(({ level }) => level),
    ...(only ? { only, ...(flags.skip && { skip: flags.skip }) } : report.selection),
  } as T;
}

/**
 * The failed checks. Checks of the phase `end` judge other checks' requests, so those checks run too. Undefined if that
 * takes the whole run, or if all checks conformed.
 */
function checksToRepeat(report: Report, given: ConformanceOptions['driver']): string[] | undefined {
  const named = new Map(Object.entries(DRIVERS));
  const driver = typeof given === 'object' ? given : (named.get(given ?? report.driver) ?? gatewayDriver);
  const settings = toSettings({ baseUrl: 'http://127.0.0.1' });
  const phases = new Map(
    planChecks({ contract: loadContract(), settings, driver }).map(({ id, phase }) => [id, phase]),
  );
  const failed = report.checks.filter(({ id, verdict }) => verdict !== 'conforming' && phases.has(id));
  const ids = new Set<string>();
  for (const { id, findings } of failed) {
    ids.add(id);
    if (phases.get(id) !== 'end') continue;
    const senders = findings.map(({ evidence }) => evidence?.check ?? '');
    if (senders.length === 0 || senders.some((sender) => !phases.has(sender))) return undefined;
    for (const sender of senders) ids.add(sender);
  }
  return ids.size === 0 ? undefined : [...ids];
}

/** Lines that say which findings are gone, which remain, and which are new. */
export function compareReports(before: Report, after: Report): string {
  const ran = new Set(after.checks.map(({ id }) => id));
  const [old, now] = [listFindings(before.checks.filter(({ id }) => ran.has(id))), listFindings(after.checks)];
  const lines = [
    ...[...old].filter(([key]) => !now.has(key)).map(([key]) => `gone     ${key}`),
    ...[...now].filter(([key]) => old.has(key)).map(([key, found]) => `remains  ${key}: ${found}`),
    ...[...now].filter(([key]) => !old.has(key)).map(([key, found]) => `new      ${key}: ${found}`),
  ];
  const left = before.checks.filter(({ id, verdict }) => verdict !== 'conforming' && !ran.has(id)).length;
  return [
    printable(`Compared with the run of ${before.startedAt}, seed ${before.seed}:`),
    ...(lines.length === 0 ? ['nothing was found, then or now'] : lines.map((line) => printable(line))),
    ...(left > 0 ? [`${left} checks that were not conforming did not run again.`] : []),
    ...(now.size === 0 ? ['Next: run every check, without --replay.'] : []),
  ].join('\n');
}

/** Findings by check and place. The found value can change while the finding remains. */
function listFindings(checks: readonly ReportedCheck[]): Map<string, string> {
  return new Map(
    checks.flatMap(({ id, verdict, findings, reason = '' }): [string, string][] => {
      if (verdict === 'conforming') return [];
      if (findings.length === 0) return [[`${id}  ${verdict}`, reason]];
      return findings.map(({ at, expected, found }) => [`${id}  ${at}`, `expected ${expected}, found ${found}`]);
    }),
  );
}
